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
/** `business_name`: typed by the owner, who gives up the business. */
export const OwnershipTransfer = Type.Object({ user_id: Uuid(), business_name: Line(255) })

const TeamMember = Type.Object({
  object: Type.Literal('team_member'),
  /** Of the user. */
  id: Type.String(),
  email: Type.String(),
  name: Type.String(),
  role: OneOf(ROLES),
  /** Of the role. */
  version: Type.String(),
  has_second_factor: Type.Boolean(),
  /** Then this team cannot reset their second factor: the account is not this business's. */
  has_other_business: Type.Boolean(),
  created: EpochSeconds(),
  /** In this business; `null`: never. */
  last_seen: Nullable(EpochSeconds()),
  /** An e-mail; `null` for those whom the operator made. */
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

/** What a person made that a server calls with. `oauth_family`: the tokens of a sign-in, named like their client. */
const MadeCredential = Type.Object({
  type: OneOf(['api_key', 'oauth_client', 'oauth_family']),
  id: Uuid(),
  name: Type.String(),
  last_four: Nullable(Type.String()),
  /** Whether it ends, or has ended, with the change. */
  ends: Type.Boolean(),
})
export type MadeCredential = Static<typeof MadeCredential>

/** `role`: the new one; absent when the person leaves. */
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
  /** Of a user, key or client. */
  actor: Type.Optional(Line(64)),
  /** `api_key.create`, or `api_key` for all that happened to keys. */
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
  /** From 1, without gaps. */
  number: Type.Integer(),
  created: EpochSeconds(),
  actor: Type.Object({
    kind: OneOf(ACTOR_KINDS),
    id: Nullable(Type.String()),
    /** An e-mail, or the name of a key. */
    name: Nullable(Type.String()),
  }),
  action: Type.String(),
  about: Nullable(Type.Object({ type: Type.String(), id: Type.String() })),
  /** The object on whose page `about` is shown, if it has no page of its own. */
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
   * Step-up; for who belongs to this business alone. For owners it takes effect at their next sign-in by password after
   * `due_at`; `null`: it has.
   */
  'POST /team/members/{id}/reset-factors': { response: Static<typeof FactorReset> }
  /** The person leaves. */
  'POST /team/leave': { response: Static<typeof RemovedMember> }
  'POST /team/ownership': { body: Static<typeof OwnershipTransfer>; response: Static<typeof Team> }
  'GET /audit': { query: Partial<Static<typeof AuditQuery>>; response: Static<typeof AuditList> }
  'GET /audit/{id}': { response: AuditEntry }
  'POST /audit/export': { body: Partial<Static<typeof AuditExport>>; response: unknown }
}
