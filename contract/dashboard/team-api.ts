import Type, { type Static } from 'typebox'
import { Day, Email, EpochSeconds, Line, Nullable, OneOf, Opaque, Uuid } from '../formats.ts'
import { ROLES } from '../permissions.ts'
import { About } from './about.ts'
import { ExportBody } from './export.ts'
import { AUDIT_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about the team and the audit log.

export const InvitationCreate = Type.Object({ email: Email(), role: OneOf(ROLES) })
export const RoleChange = Type.Object({ version: Opaque(64), role: OneOf(ROLES) })
/** `business_name` is typed by the owner who transfers the business. */
export const OwnershipTransfer = Type.Object({ user_id: Uuid(), business_name: Line(255) })

const TeamMember = Type.Object({
  object: Type.Literal('team_member'),
  /** Id of the user. */
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: OneOf(ROLES),
  /** Version of the role. */
  version: Type.String(),
  has_second_factor: Type.Boolean(),
  /** Whether the person belongs to another business too: this team then cannot reset their second factor. */
  has_other_business: Type.Boolean(),
  created: EpochSeconds(),
  /** When the person was last active in this business; `null` if never. */
  last_seen: Nullable(EpochSeconds()),
  /** E-mail address of the inviter; `null` for members whom the operator added. */
  invited_by: Nullable(Type.String()),
  is_you: Type.Boolean(),
})
export type TeamMember = Static<typeof TeamMember>

const Invitation = Type.Object({
  object: Type.Literal('invitation'),
  id: Uuid(),
  email: Type.String(),
  role: OneOf(ROLES),
  invited_by: Type.String(),
  created: EpochSeconds(),
  expires: EpochSeconds(),
  is_expired: Type.Boolean(),
})
export type Invitation = Static<typeof Invitation>

/**
 * A credential that a person created for a server. `oauth_family`: the tokens of a sign-in, named after their client.
 */
const MadeCredential = Type.Object({
  type: OneOf(['api_key', 'oauth_client', 'oauth_family']),
  id: Uuid(),
  name: Type.String(),
  last_four: Nullable(Type.String()),
  /** Whether the change ends, or has ended, the credential. */
  ends: Type.Boolean(),
})
export type MadeCredential = Static<typeof MadeCredential>

/** `role` is the new role; absent if the person leaves. */
export const MadeCredentialsQuery = Type.Object({ role: Type.Optional(OneOf(ROLES)) })

const Team = Type.Object({
  object: Type.Literal('team'),
  data: Type.Array(TeamMember),
  invitations: Type.Array(Invitation),
})
const RemovedMember = Type.Object({
  object: Type.Literal('removed_member'),
  id: Type.String(),
  email: Type.String(),
  credentials: Type.Array(MadeCredential),
})
const MadeCredentials = Type.Object({ object: Type.Literal('list'), data: Type.Array(MadeCredential) })

const AUDIT_OUTCOMES = ['done', 'requested', 'refused'] as const
const ACTOR_KINDS = ['person', 'key', 'client', 'operator', 'system'] as const

const AUDIT_FILTERS = {
  /** Id of a user, key or client. */
  actor: Type.Optional(Line(64)),
  /** `api_key.create`, or `api_key` for every action on keys. */
  action: Type.Optional(Type.String({ pattern: '^[a-z_]+([.][a-z_]+)?$', maxLength: 64 })),
  /** The id of the object. */
  about: Type.Optional(Line(64)),
  outcome: Type.Optional(OneOf(AUDIT_OUTCOMES)),
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
}
export const AuditQuery = Type.Object({ ...DASHBOARD_PAGE, ...AUDIT_FILTERS })
const Filters = Type.Object(AUDIT_FILTERS)
export type AuditFilters = Static<typeof Filters>

export const AuditExport = ExportBody(AUDIT_FILTERS, AUDIT_COLUMNS)

const AuditEntry = Type.Object({
  object: Type.Literal('audit_entry'),
  id: Uuid(),
  /** Number of the entry, from 1 without gaps. */
  number: Type.Integer(),
  created: EpochSeconds(),
  actor: Type.Object({
    kind: OneOf(ACTOR_KINDS),
    id: Nullable(Type.String()),
    /** E-mail address of a person, or name of a key. */
    name: Nullable(Type.String()),
  }),
  action: Type.String(),
  about: Nullable(Type.Object({ type: Type.String(), id: Type.String() })),
  /** The object on whose page `about` is shown, if `about` has no page of its own. */
  shown_on: Nullable(About),
  outcome: OneOf(AUDIT_OUTCOMES),
  before: Nullable(Type.Record(Type.String(), Type.Unknown())),
  after: Nullable(Type.Record(Type.String(), Type.Unknown())),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
})
export type AuditEntry = Static<typeof AuditEntry>
const AuditList = DashboardList(AuditEntry)

const FactorReset = Type.Object({
  object: Type.Literal('factor_reset'),
  user: Type.String(),
  due_at: Nullable(EpochSeconds()),
})

export interface TeamApi {
  'GET /team': { response: Static<typeof Team> }
  'GET /team/members/{id}/credentials': {
    query: Partial<Static<typeof MadeCredentialsQuery>>
    response: Static<typeof MadeCredentials>
  }
  'POST /team/invitations': { body: Static<typeof InvitationCreate>; response: Invitation }
  'DELETE /team/invitations/{id}': { response: { object: 'invitation'; id: string } }
  'PATCH /team/members/{id}': { body: Static<typeof RoleChange>; response: TeamMember }
  'DELETE /team/members/{id}': { response: Static<typeof RemovedMember> }
  /**
   * Requires step-up; only for people who belong to no other business. For owners it takes effect at their next sign-in
   * by password after `due_at`; `null` means that it has taken effect.
   */
  'POST /team/members/{id}/reset-factors': { response: Static<typeof FactorReset> }
  /** Removes the person who calls from the team. */
  'POST /team/leave': { response: Static<typeof RemovedMember> }
  'POST /team/ownership': { body: Static<typeof OwnershipTransfer>; response: Static<typeof Team> }
  'GET /audit': { query: Partial<Static<typeof AuditQuery>>; response: Static<typeof AuditList> }
  'GET /audit/{id}': { response: AuditEntry }
  'POST /audit/export': { body: Partial<Static<typeof AuditExport>>; response: unknown }
}
