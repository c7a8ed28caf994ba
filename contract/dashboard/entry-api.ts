import Type, { type Static } from 'typebox'
import { Country, Currency, Email, EpochSeconds, Line, Nullable, OneOf, Opaque, Uuid } from '../formats.ts'
import { LOCALES } from '../payment-page.ts'
import { PERMISSIONS, ROLES } from '../permissions.ts'

// Calls about a person and not about a business: signing in, step-up, one's own account. Paths are complete. A refused
// sign-in is 401 `sign_in_failed`, with one text for every reason; a used, expired or unknown code of a link is 422
// with `param: "code"`.

/** A browser's response to a passkey prompt (`PublicKeyCredential.toJSON()`); the library checks what is in it. */
const Credential = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  required: ['id', 'rawId', 'response', 'type'],
  additionalProperties: true,
})
/** What `startAuthentication` or `startRegistration` of @simplewebauthn/browser takes as `optionsJSON`. */
const PasskeyOptions = Type.Object({
  object: Type.Literal('passkey_options'),
  options: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
})

/** Only the length is required: NIST 800-63B. */
const PASSWORD_LENGTH_MIN = 12
const Password = () => Opaque(128, PASSWORD_LENGTH_MIN)
const GivenPassword = () => Opaque(128)
/** Six digits, or a recovery code as it was shown; spaces and hyphens do not count. */
const FactorCode = () => Line(40)
/** The part of a link after `#`. */
const LinkCode = () => Opaque(100)
const Locale = () => OneOf(LOCALES)
const Nothing = Type.Object({})

export const PersonUpdate = Type.Object({
  name: Type.Optional(Line(100)),
  locale: Type.Optional(Nullable(Locale())),
})
/** Forbids other members, such as one that would trust a device. */
const CLOSED = { additionalProperties: false }
export const PasswordSignIn = Type.Object({ email: Line(254), password: GivenPassword() }, CLOSED)
export const SecondFactor = Type.Object(
  { ticket: Opaque(100), method: OneOf(['totp', 'recovery_code']), code: FactorCode() },
  CLOSED,
)
export const PasskeyProof = Type.Object({ credential: Credential })
export const NewPasskey = Type.Object({ name: Line(60), credential: Credential })
export const PasskeyName = Type.Object({ name: Line(60) })
export const StepUpReason = Type.Object({ reason: Line(100) })
/** One schema for both methods: `password`, with `code` if the person has an authenticator app; or `credential`. */
export const StepUp = Type.Object({
  method: OneOf(['password', 'passkey']),
  password: Type.Optional(GivenPassword()),
  code: Type.Optional(FactorCode()),
  credential: Type.Optional(Credential),
})
export const PasswordForgotten = Type.Object({ email: Line(254) })
export const PasswordReset = Type.Object({ code: LinkCode(), password: Password() })
export const PasswordChange = Type.Object({ password: Password() })
export const TotpProof = Type.Object({ ticket: Opaque(100), code: FactorCode() })
export const Link = Type.Object({ code: LinkCode() })
export const FirstOwner = Type.Object({
  code: LinkCode(),
  email: Email(),
  name: Line(100),
  password: Password(),
  locale: Type.Optional(Nullable(Locale())),
})
export const FirstBusiness = Type.Object({
  name: Line(100),
  country: Country(),
  province: Type.Optional(Nullable(Line(10))),
  time_zone: Line(64),
  currency: Currency(),
})
/** `name` and `password` of a new person. A known person signs in first and sends neither. */
export const InvitationAcceptance = Type.Object({
  code: LinkCode(),
  name: Type.Optional(Line(100)),
  password: Type.Optional(Password()),
})
export const OwnAuditQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
  before: Type.Optional(Type.Unsafe<string>({ ...Uuid(), description: 'Older rows than this one.' })),
})

const BusinessOfMe = Type.Object({
  id: Uuid(),
  name: Type.String(),
  role: OneOf(ROLES),
  currency: Currency(),
  country: Type.String(),
  time_zone: Type.String(),
  clock_offset_seconds: Type.Integer(),
  permissions: Type.Array(OneOf(PERMISSIONS)),
})

const Me = Type.Object({
  object: Type.Literal('me'),
  user: Type.Object({
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    locale: Nullable(Locale()),
    /** Whether the person has an authenticator app or a passkey. */
    second_factor: Type.Boolean(),
    /** Whether step-up by password requires a code too. */
    totp: Type.Boolean(),
    /** Methods by which the person can prove their identity again, best first. */
    step_up_methods: Type.Array(OneOf(['passkey', 'password'])),
  }),
  session: Type.Object({
    id: Type.String(),
    /** End of the session's absolute lifetime. */
    expires_at: EpochSeconds(),
    /** Seconds without calls, apart from background calls, after which the session ends. */
    idle_seconds: Type.Integer(),
    stepped_up_until: Nullable(EpochSeconds()),
  }),
  csrf_token: Type.String(),
  environment: OneOf(['staging', 'production']),
  /** Until a second factor is added, nothing else works. */
  must_add_second_factor: Type.Boolean(),
  /** The set-up is not finished: there is no business yet, and this person may create the first one. */
  may_create_business: Type.Boolean(),
  businesses: Type.Array(BusinessOfMe),
})

/**
 * The cookie was set, with a new session. With `next: 'second_factor'` there is no cookie yet; `ticket` is valid for
 * five minutes.
 */
const SignIn = Type.Object({
  object: Type.Literal('sign_in'),
  next: OneOf(['done', 'second_factor']),
  ticket: Nullable(Type.String()),
  /** Methods for `second_factor`. `passkey`: begin with `POST /dashboard/auth/passkey/options`. */
  methods: Type.Array(OneOf(['totp', 'passkey', 'recovery_code'])),
  /** Token of the new session. */
  csrf_token: Nullable(Type.String()),
})

const Passkey = Type.Object({
  object: Type.Literal('passkey'),
  id: Type.String(),
  name: Type.String(),
  /** Whether the password manager copies it to other devices. */
  is_synced: Type.Boolean(),
  created_at: EpochSeconds(),
  last_used_at: Nullable(EpochSeconds()),
})
const SessionOfAccount = Type.Object({
  object: Type.Literal('session'),
  id: Type.String(),
  user_agent: Nullable(Type.String()),
  ip: Nullable(Type.String()),
  proof: OneOf(['password', 'second_factor', 'passkey']),
  created_at: EpochSeconds(),
  last_seen_at: EpochSeconds(),
  is_current: Type.Boolean(),
})
const Account = Type.Object({
  object: Type.Literal('account'),
  email: Type.String(),
  name: Type.String(),
  locale: Nullable(Locale()),
  password_changed_at: Nullable(EpochSeconds()),
  totp: Type.Boolean(),
  /** `null` if the person has no recovery codes, because there is no second factor. */
  recovery_codes_left: Nullable(Type.Integer()),
  passkeys: Type.Array(Passkey),
  sessions: Type.Array(SessionOfAccount),
})
/** The session has a new id and cookie, and a new token for `X-CSRF-Token`. */
const FactorChange = Type.Object({
  object: Type.Literal('factor_change'),
  csrf_token: Type.String(),
  /** Ten codes, shown once: with the first factor, and when new codes are created. */
  recovery_codes: Nullable(Type.Array(Type.String())),
})
/** Secret as a QR code and for typing. */
const TotpSetUp = Type.Object({
  object: Type.Literal('totp_set_up'),
  ticket: Type.String(),
  secret: Type.String(),
  uri: Type.String(),
})
const SetUp = Type.Object({
  object: Type.Literal('set_up'),
  /** `first_owner`: the first person of this installation. `sign_in`: the link replaces the password of `email`. */
  purpose: OneOf(['first_owner', 'sign_in']),
  email: Nullable(Type.String()),
})
const InvitationOfCode = Type.Object({
  object: Type.Literal('invitation'),
  business: Type.String(),
  role: OneOf(ROLES),
  email: Type.String(),
  invited_by: Type.String(),
  expires_at: EpochSeconds(),
  /** Whether the address already has an account here. */
  is_known: Type.Boolean(),
})
const OwnAuditEntry = Type.Object({
  object: Type.Literal('audit_entry'),
  id: Uuid(),
  /** `null` for an entry about the account, which belongs to no business. */
  business: Nullable(Type.Object({ id: Uuid(), name: Type.String() })),
  created_at: EpochSeconds(),
  action: Type.String(),
  target: Nullable(Type.Object({ type: Type.String(), id: Type.String() })),
  outcome: OneOf(['done', 'requested', 'refused']),
  ip: Nullable(Type.String()),
  user_agent: Nullable(Type.String()),
})
const OwnAudit = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(OwnAuditEntry),
  has_more: Type.Boolean(),
})
const Done = Type.Object({ object: Type.Literal('done') })
const SteppedUp = Type.Object({ object: Type.Literal('step_up'), stepped_up_until: EpochSeconds() })
const NewBusiness = Type.Object({ object: Type.Literal('business'), id: Uuid() })
const Joined = Type.Object({
  object: Type.Literal('membership'),
  business: Uuid(),
  role: OneOf(ROLES),
  /** Token of the session that a new person got; `null` for a person who was already signed in. */
  csrf_token: Nullable(Type.String()),
})

/**
 * Marks of the calls. SIGNED OUT: needs no session and no `X-CSRF-Token`. STEP-UP: 403 `step_up_required` without a
 * recent step-up.
 */
export interface EntryApi {
  'GET /dashboard/api/me': { response: Static<typeof Me> }
  /** 422 with `param` `password` (wrong password or code, in one text) or `credential`. */
  'POST /dashboard/api/step-up': { body: Static<typeof StepUp>; response: Static<typeof SteppedUp> }
  /** Next: `POST /dashboard/api/step-up` with `credential`. `reason` is the one of the refusal. */
  'POST /dashboard/auth/step-up/options': {
    body: Static<typeof StepUpReason>
    response: Static<typeof PasskeyOptions>
  }

  /** SIGNED OUT, as are the next four. */
  'POST /dashboard/auth/sign-in': { body: Static<typeof PasswordSignIn>; response: Static<typeof SignIn> }
  'POST /dashboard/auth/second-factor': { body: Static<typeof SecondFactor>; response: Static<typeof SignIn> }
  'POST /dashboard/auth/passkey/options': { body: Static<typeof Nothing>; response: Static<typeof PasskeyOptions> }
  'POST /dashboard/auth/passkey': { body: Static<typeof PasskeyProof>; response: Static<typeof SignIn> }
  /** The response is the same for every address. */
  'POST /dashboard/auth/password/forgotten': { body: Static<typeof PasswordForgotten>; response: Static<typeof Done> }
  /** SIGNED OUT. Ends all sessions; the person signs in next. The link is `/dashboard/reset#code`. */
  'POST /dashboard/auth/password/reset': { body: Static<typeof PasswordReset>; response: Static<typeof Done> }
  'POST /dashboard/auth/sign-out': { body: Static<typeof Nothing>; response: Static<typeof Done> }

  /** SIGNED OUT. Returns the purpose of the code of `/dashboard/set-up#code`; the code stays valid. */
  'POST /dashboard/auth/set-up/look': { body: Static<typeof Link>; response: Static<typeof SetUp> }
  /** SIGNED OUT, purpose `sign_in`. A person with a second factor still has to use it. */
  'POST /dashboard/auth/set-up/sign-in': { body: Static<typeof Link>; response: Static<typeof SignIn> }
  /** SIGNED OUT, purpose `first_owner`. Next: second factor, business. */
  'POST /dashboard/auth/set-up': { body: Static<typeof FirstOwner>; response: Static<typeof SignIn> }
  /** Works while `may_create_business` is true. */
  'POST /dashboard/auth/set-up/business': { body: Static<typeof FirstBusiness>; response: Static<typeof NewBusiness> }

  /** SIGNED OUT. The link is `/dashboard/welcome#code`. */
  'POST /dashboard/auth/invitations/look': { body: Static<typeof Link>; response: Static<typeof InvitationOfCode> }
  /** SIGNED OUT for a new person; otherwise 401 `signed_out` until the person has signed in. */
  'POST /dashboard/auth/invitations/accept': {
    body: Static<typeof InvitationAcceptance>
    response: Static<typeof Joined>
  }
  /** SIGNED OUT. */
  'POST /dashboard/auth/invitations/decline': { body: Static<typeof Link>; response: Static<typeof Done> }

  'GET /dashboard/auth/account': { response: Static<typeof Account> }
  'PATCH /dashboard/auth/account': { body: Static<typeof PersonUpdate>; response: Static<typeof Account> }
  /** STEP-UP. Ends all other sessions. */
  'POST /dashboard/auth/password': { body: Static<typeof PasswordChange>; response: Static<typeof FactorChange> }
  /** STEP-UP, like all changes of factors; adding the first factor needs none for five minutes after sign-in. */
  'POST /dashboard/auth/totp': { body: Static<typeof Nothing>; response: Static<typeof TotpSetUp> }
  /** 422 with `param: "code"` for a wrong code; the ticket stays valid. */
  'POST /dashboard/auth/totp/verify': { body: Static<typeof TotpProof>; response: Static<typeof FactorChange> }
  'DELETE /dashboard/auth/totp': { response: Static<typeof FactorChange> }
  'POST /dashboard/auth/recovery-codes': { body: Static<typeof Nothing>; response: Static<typeof FactorChange> }
  'POST /dashboard/auth/passkeys/options': { body: Static<typeof Nothing>; response: Static<typeof PasskeyOptions> }
  'POST /dashboard/auth/passkeys': { body: Static<typeof NewPasskey>; response: Static<typeof FactorChange> }
  'PATCH /dashboard/auth/passkeys/{id}': { body: Static<typeof PasskeyName>; response: Static<typeof Passkey> }
  'DELETE /dashboard/auth/passkeys/{id}': { response: Static<typeof FactorChange> }
  /** Ends a session; ending the current one signs out. */
  'DELETE /dashboard/auth/sessions/{id}': { response: Static<typeof Done> }
  /** Ends all sessions except the current one. */
  'POST /dashboard/auth/sessions/end-others': { body: Static<typeof Nothing>; response: Static<typeof Done> }
  'GET /dashboard/auth/audit': {
    query: Partial<Static<typeof OwnAuditQuery>>
    response: Static<typeof OwnAudit>
  }
}

export type EntryCallName = keyof EntryApi
