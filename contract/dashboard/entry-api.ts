import Type, { type Static } from 'typebox'
import { Country, Currency, Email, EpochSeconds, Line, Nullable, OneOf, Opaque, Uuid } from '../formats.ts'
import { LOCALES } from '../payment-page.ts'
import { PERMISSIONS, ROLES } from '../permissions.ts'

// The calls about a person, not about a business: signing in, proving again who one is, one's own account. Paths are
// whole ones. A refused sign-in is 401 `sign_in_failed`, with one text for every reason; a used, expired or unknown
// code of a link is 422 with `param: "code"`.

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

/** The length alone is required: NIST 800-63B. */
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
/** No other member, such as one that would trust a device. */
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
/** One schema for both methods: `password` with `code` where the person has an authenticator app, or `credential`. */
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
/** `name` and `password`: of a person who is new here. Who is known signs in first and sends neither. */
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
    /** Whether step-up by password asks for a code too. */
    totp: Type.Boolean(),
    /** How the person may prove again who they are, best first. */
    step_up_methods: Type.Array(OneOf(['passkey', 'password'])),
  }),
  session: Type.Object({
    id: Type.String(),
    /** The end of its absolute time. */
    expires_at: EpochSeconds(),
    /** Seconds without a call, other than background calls, after which it ends. */
    idle_seconds: Type.Integer(),
    stepped_up_until: Nullable(EpochSeconds()),
  }),
  csrf_token: Type.String(),
  environment: OneOf(['staging', 'production']),
  /** Nothing but adding a second factor works until it is done. */
  must_add_second_factor: Type.Boolean(),
  /** The set-up is not finished: nobody has a business yet, and this person may make the first. */
  may_create_business: Type.Boolean(),
  businesses: Type.Array(BusinessOfMe),
})

/**
 * The cookie was set, with a new session. `next: 'second_factor'`: no cookie yet; `ticket` is good for five minutes.
 */
const SignIn = Type.Object({
  object: Type.Literal('sign_in'),
  next: OneOf(['done', 'second_factor']),
  ticket: Nullable(Type.String()),
  /** For `second_factor`. `passkey`: begin with `POST /dashboard/auth/passkey/options`. */
  methods: Type.Array(OneOf(['totp', 'passkey', 'recovery_code'])),
  /** Of the new session. */
  csrf_token: Nullable(Type.String()),
})

const Passkey = Type.Object({
  object: Type.Literal('passkey'),
  id: Type.String(),
  name: Type.String(),
  /** The password manager copies it to other devices. */
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
  /** `null`: the person has none, because there is no second factor. */
  recovery_codes_left: Nullable(Type.Integer()),
  passkeys: Type.Array(Passkey),
  sessions: Type.Array(SessionOfAccount),
})
/** The session has a new id and cookie, and a new token for `X-CSRF-Token`. */
const FactorChange = Type.Object({
  object: Type.Literal('factor_change'),
  csrf_token: Type.String(),
  /** Ten, shown once; with the first factor and for new codes. */
  recovery_codes: Nullable(Type.Array(Type.String())),
})
/** For the QR code and for typing. */
const TotpSetUp = Type.Object({
  object: Type.Literal('totp_set_up'),
  ticket: Type.String(),
  secret: Type.String(),
  uri: Type.String(),
})
const SetUp = Type.Object({
  object: Type.Literal('set_up'),
  /** `first_owner`: the first person here. `sign_in`: the link stands for the password of `email`. */
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
  /** The address already signs in here. */
  is_known: Type.Boolean(),
})
const OwnAuditEntry = Type.Object({
  object: Type.Literal('audit_entry'),
  id: Uuid(),
  /** `null`: it was about the account, for no business. */
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
  /** Of the session that a new person got; `null` for who was signed in. */
  csrf_token: Nullable(Type.String()),
})

/**
 * Marked SIGNED OUT: they need no session and no `X-CSRF-Token`. STEP-UP: 403 `step_up_required` without a fresh mark.
 */
export interface EntryApi {
  'GET /dashboard/api/me': { response: Static<typeof Me> }
  /** 422 with `param` `password` (wrong password or code, in one text) or `credential`. */
  'POST /dashboard/api/step-up': { body: Static<typeof StepUp>; response: Static<typeof SteppedUp> }
  /** Then `POST /dashboard/api/step-up` with `credential`. `reason`: that of the refusal. */
  'POST /dashboard/auth/step-up/options': {
    body: Static<typeof StepUpReason>
    response: Static<typeof PasskeyOptions>
  }

  /** SIGNED OUT, as are the next four. */
  'POST /dashboard/auth/sign-in': { body: Static<typeof PasswordSignIn>; response: Static<typeof SignIn> }
  'POST /dashboard/auth/second-factor': { body: Static<typeof SecondFactor>; response: Static<typeof SignIn> }
  'POST /dashboard/auth/passkey/options': { body: Static<typeof Nothing>; response: Static<typeof PasskeyOptions> }
  'POST /dashboard/auth/passkey': { body: Static<typeof PasskeyProof>; response: Static<typeof SignIn> }
  /** The same response for every address. */
  'POST /dashboard/auth/password/forgotten': { body: Static<typeof PasswordForgotten>; response: Static<typeof Done> }
  /** SIGNED OUT. Ends all sessions; the person signs in next. The link is `/dashboard/reset#code`. */
  'POST /dashboard/auth/password/reset': { body: Static<typeof PasswordReset>; response: Static<typeof Done> }
  'POST /dashboard/auth/sign-out': { body: Static<typeof Nothing>; response: Static<typeof Done> }

  /** SIGNED OUT. What the code of `/dashboard/set-up#code` is good for; it stays good. */
  'POST /dashboard/auth/set-up/look': { body: Static<typeof Link>; response: Static<typeof SetUp> }
  /** SIGNED OUT, purpose `sign_in`. A person with a second factor is still asked for it. */
  'POST /dashboard/auth/set-up/sign-in': { body: Static<typeof Link>; response: Static<typeof SignIn> }
  /** SIGNED OUT, purpose `first_owner`. Then: second factor, business. */
  'POST /dashboard/auth/set-up': { body: Static<typeof FirstOwner>; response: Static<typeof SignIn> }
  /** While `may_create_business`. */
  'POST /dashboard/auth/set-up/business': { body: Static<typeof FirstBusiness>; response: Static<typeof NewBusiness> }

  /** SIGNED OUT. The link is `/dashboard/welcome#code`. */
  'POST /dashboard/auth/invitations/look': { body: Static<typeof Link>; response: Static<typeof InvitationOfCode> }
  /** SIGNED OUT for who is new; else 401 `signed_out` until that person has signed in. */
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
  /** STEP-UP, as are all changes of factors; the first factor needs none for five minutes after sign-in. */
  'POST /dashboard/auth/totp': { body: Static<typeof Nothing>; response: Static<typeof TotpSetUp> }
  /** 422 with `param: "code"` for a wrong code; the ticket stays good. */
  'POST /dashboard/auth/totp/verify': { body: Static<typeof TotpProof>; response: Static<typeof FactorChange> }
  'DELETE /dashboard/auth/totp': { response: Static<typeof FactorChange> }
  'POST /dashboard/auth/recovery-codes': { body: Static<typeof Nothing>; response: Static<typeof FactorChange> }
  'POST /dashboard/auth/passkeys/options': { body: Static<typeof Nothing>; response: Static<typeof PasskeyOptions> }
  'POST /dashboard/auth/passkeys': { body: Static<typeof NewPasskey>; response: Static<typeof FactorChange> }
  'PATCH /dashboard/auth/passkeys/{id}': { body: Static<typeof PasskeyName>; response: Static<typeof Passkey> }
  'DELETE /dashboard/auth/passkeys/{id}': { response: Static<typeof FactorChange> }
  /** Ending the current one is signing out. */
  'DELETE /dashboard/auth/sessions/{id}': { response: Static<typeof Done> }
  /** All but the current one. */
  'POST /dashboard/auth/sessions/end-others': { body: Static<typeof Nothing>; response: Static<typeof Done> }
  'GET /dashboard/auth/audit': {
    query: Partial<Static<typeof OwnAuditQuery>>
    response: Static<typeof OwnAudit>
  }
}

export type EntryCallName = keyof EntryApi
