import Type, { type Static } from 'typebox'
import { Day, EpochSeconds, IpAddress, Line, Nullable, OneOf, Url, Uuid } from '../formats.ts'
import { SCOPES } from '../scopes.ts'
import { ExportBody } from './export.ts'
import { REFUSAL_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'

// The calls of the pages about secret keys, OAuth clients, allowed addresses and refused calls.

const NAME_MAX = 255
/** How many hours a rotated key may keep working beside its successor. */
export const OVERLAP_HOURS = [0, 1, 24] as const

/** Scopes to grant; absent means all that the person may grant. */
const GivenScopes = () => Type.Optional(Type.Array(OneOf(SCOPES), { minItems: 1, uniqueItems: true }))

const KEY_STATUSES = ['active', 'rotated', 'expired', 'revoked'] as const

export const ApiKeyObject = Type.Object({
  id: Uuid(),
  object: Type.Literal('api_key'),
  name: Type.String(),
  /** `rc_sk_stg_` */
  prefix: Type.String(),
  last_four: Type.String(),
  allowed_ips: Type.Array(Type.String()),
  scopes: Type.Array(OneOf(SCOPES)),
  /** `rotated`: works until `expires_at`, beside its successor. */
  status: OneOf(KEY_STATUSES),
  created: EpochSeconds(),
  /** `null` if the operator created it. */
  created_by: Nullable(Type.String()),
  last_used_at: Nullable(EpochSeconds()),
  last_used_from: Nullable(Type.String()),
  expires_at: Nullable(EpochSeconds()),
  revoked_at: Nullable(EpochSeconds()),
  view: Type.Object({
    /** Whether it was used within the last day: the page then warns before a revocation. */
    is_in_use: Type.Boolean(),
  }),
})
export type ApiKeyObject = Static<typeof ApiKeyObject>

/** Data that a page needs in addition to the list: the address from which calls currently come. */
const OwnAddress = { view: Type.Object({ your_ip: Nullable(Type.String()) }) }

export const ApiKeyList = Type.Object({ ...DashboardList(ApiKeyObject).properties, ...OwnAddress })

const Addresses = () => Type.Array(IpAddress(), { minItems: 1, maxItems: 2 })

export const ApiKeyCreate = Type.Object({ name: Line(NAME_MAX), allowed_ips: Addresses(), scopes: GivenScopes() })

export const ApiKeyRotation = Type.Object({
  allowed_ips: Type.Optional(Addresses()),
  overlap_hours: Type.Unsafe<(typeof OVERLAP_HOURS)[number]>({ type: 'integer', enum: [...OVERLAP_HOURS] }),
})

export const ApiKeyRevocation = Type.Object({ name: Type.Optional(Line(NAME_MAX)) })

/** `key` is shown once; it is `null` if the same call is repeated. */
export type ApiKeyWithSecret = ApiKeyObject & { key: string | null }

export const OAuthClient = Type.Object({
  id: Uuid(),
  object: Type.Literal('oauth_client'),
  name: Type.String(),
  redirect_url: Type.String(),
  /** Origin of the redirect URL: pages of this origin may open sessions and frame the payment page. */
  origin: Type.String(),
  password_grant: Type.Boolean(),
  /** Whether people with a second factor may also use the password grant. */
  skips_second_factor: Type.Boolean(),
  scopes: Type.Array(OneOf(SCOPES)),
  status: OneOf(['active', 'revoked']),
  created: EpochSeconds(),
  /** Who created the client or its current secret; `null` for the operator. */
  created_by: Nullable(Type.String()),
  revoked_at: Nullable(EpochSeconds()),
  version: Type.String(),
  view: Type.Object({
    families: Type.Integer(),
    last_token_at: Nullable(EpochSeconds()),
    /** When a used refresh token was last sent a second time; `ended`: whether that ended the tokens of its sign-in. */
    refresh_reuse: Nullable(Type.Object({ at: EpochSeconds(), from: Type.String(), ended: Type.Boolean() })),
  }),
})
export type OAuthClient = Static<typeof OAuthClient>
const OAuthClientList = DashboardList(OAuthClient)

export const OAuthClientCreate = Type.Object({
  name: Line(NAME_MAX),
  redirect_url: Url(),
  password_grant: Type.Boolean({ default: false }),
  scopes: GivenScopes(),
})

/** Absent fields stay as they are. */
export const OAuthClientUpdate = Type.Object({
  version: Line(64),
  name: Type.Optional(Line(NAME_MAX)),
  redirect_url: Type.Optional(Url()),
  password_grant: Type.Optional(Type.Boolean()),
  /** Only an owner may set this field. */
  skips_second_factor: Type.Optional(Type.Boolean()),
  scopes: GivenScopes(),
})

/** The secret is shown once; it is `null` if the same call is repeated. */
export type OAuthClientWithSecret = OAuthClient & {
  client_secret: string | null
  /** The first pair of tokens of a client that was just created; otherwise `null`. */
  tokens: { access_token: string; refresh_token: string } | null
}

export const AllowedIp = Type.Object({
  object: Type.Literal('allowed_ip'),
  address: Type.String(),
  created: EpochSeconds(),
  last_seen_at: Nullable(EpochSeconds()),
})
export type AllowedIp = Static<typeof AllowedIp>

/** An address that was refused in the last 24 hours. */
export interface RefusedAddress {
  address: string
  calls: number
  last_at: number
}

export interface AllowedIpList {
  object: 'list'
  data: AllowedIp[]
  has_more: boolean
  total: number | null
  view: { your_ip: string | null; refused: RefusedAddress[] }
}

export const AllowedIpBody = Type.Object({ address: IpAddress() })

const CREDENTIAL_KINDS = ['api_key', 'oauth_client'] as const

export const Refusal = Type.Object({
  id: Uuid(),
  object: Type.Literal('refusal'),
  created: EpochSeconds(),
  method: Type.String(),
  path: Type.String(),
  status: Type.Integer(),
  code: Type.String(),
  param: Nullable(Type.String()),
  credential_kind: OneOf(CREDENTIAL_KINDS),
  credential_id: Type.String(),
  ip: Type.String(),
  request_id: Type.String(),
  view: Type.Object({
    credential_name: Nullable(Type.String()),
    /** Meaning of the code in the reference of the API. */
    meaning: Nullable(Type.String()),
  }),
})
export type Refusal = Static<typeof Refusal>
const RefusalList = DashboardList(Refusal)

const REFUSAL_FILTERS = {
  code: Type.Optional(Line(64)),
  credential: Type.Optional(Uuid()),
  ip: Type.Optional(IpAddress()),
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
}
const RefusalFilters = Type.Object(REFUSAL_FILTERS)
export type RefusalFilters = Static<typeof RefusalFilters>

export const RefusalsQuery = Type.Object({ ...DASHBOARD_PAGE, ...REFUSAL_FILTERS })
export const RefusalsExport = ExportBody(REFUSAL_FILTERS, REFUSAL_COLUMNS)

export interface CredentialsApi {
  'GET /api_keys': { response: Static<typeof ApiKeyList> }
  'POST /api_keys': { body: Static<typeof ApiKeyCreate>; response: ApiKeyWithSecret }
  'POST /api_keys/{id}/rotate': { body: Static<typeof ApiKeyRotation>; response: ApiKeyWithSecret }
  'POST /api_keys/{id}/revoke': { body: Static<typeof ApiKeyRevocation>; response: ApiKeyObject }
  'GET /oauth_clients': { response: Static<typeof OAuthClientList> }
  'POST /oauth_clients': { body: Static<typeof OAuthClientCreate>; response: OAuthClientWithSecret }
  'PATCH /oauth_clients/{id}': { body: Static<typeof OAuthClientUpdate>; response: OAuthClient }
  'POST /oauth_clients/{id}/rotate_secret': { response: OAuthClientWithSecret }
  'POST /oauth_clients/{id}/end_tokens': { response: OAuthClient }
  'POST /oauth_clients/{id}/revoke': { response: OAuthClient }
  'GET /allowed_ips': { response: AllowedIpList }
  'POST /allowed_ips': { body: Static<typeof AllowedIpBody>; response: AllowedIp }
  'POST /allowed_ips/remove': { body: Static<typeof AllowedIpBody>; response: { address: string; removed: true } }
  'GET /refusals': { query: Partial<Static<typeof RefusalsQuery>>; response: Static<typeof RefusalList> }
  'POST /refusals/export': { body: Static<typeof RefusalsExport>; response: string }
}
