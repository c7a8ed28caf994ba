import Type, { type Static } from 'typebox'
import { AVS_POLICIES, CVV_POLICIES } from '../card-checks.ts'
import { Currency, Email, Line, Nullable, OneOf, Opaque, Paragraph, Url, Uuid } from '../formats.ts'
import { SWITCHABLE_LETTERS } from '../letters.ts'
import { CORNER_RADIUS, FONT_STACKS } from '../page-look.ts'
import { LOCALES } from '../payment-page.ts'

// The calls of the pages about settings. The server checks the rules of single values (server/businesses/check-*.ts);
// the schemas only require texts, numbers and lists.

/** Version of the object that was edited (DSH-4). */
const Version = () => Opaque(64)
const Text = () => Nullable(Line(255))
const Lines = () => Nullable(Paragraph(1_000))
const ADDRESSES_MAX = 10

/** Changes of the business, its payments, billing and batches; absent members stay as they are. */
export const SettingsChange = Type.Object({
  version: Version(),
  name: Type.Optional(Line(255)),
  legal_name: Type.Optional(Text()),
  postal_address: Type.Optional(Lines()),
  tax_registrations: Type.Optional(Lines()),
  country: Type.Optional(OneOf(['US', 'CA'])),
  province: Type.Optional(Nullable(Line(2, 2))),
  time_zone: Type.Optional(Line(64)),
  locale: Type.Optional(Nullable(OneOf(LOCALES))),
  support_email: Type.Optional(Nullable(Email())),
  support_phone: Type.Optional(Nullable(Line(40))),
  terms_url: Type.Optional(Nullable(Url())),
  privacy_url: Type.Optional(Nullable(Url())),
  surcharge_rate: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 2.4, description: 'Percent.' }))),
  surcharge_rounding: Type.Optional(OneOf(['half_up', 'down'])),
  default_tax_rate: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 30, description: 'Percent.' }))),
  cvv_policy: Type.Optional(OneOf(CVV_POLICIES)),
  avs_policy: Type.Optional(OneOf(AVS_POLICIES)),
  saved_card_cvv_required: Type.Optional(Type.Boolean()),
  three_ds_enabled: Type.Optional(Type.Boolean()),
  three_ds_above: Type.Optional(
    Nullable(Type.Integer({ minimum: 0, description: 'Cents. Only payments above it; null: all of them.' })),
  ),
  google_pay_enabled: Type.Optional(Type.Boolean()),
  google_pay_merchant_id: Type.Optional(Nullable(Line(64, 1))),
  google_pay_cryptogram_only: Type.Optional(Type.Boolean()),
  first_charge: Type.Optional(OneOf(['on_start_date', 'at_create'])),
  after_last_retry: Type.Optional(OneOf(['keep', 'pause', 'cancel'])),
  billing_run_local_time: Type.Optional(Line(5)),
  missed_dates_max: Type.Optional(Type.Integer({ minimum: 0, maximum: 12 })),
  batch_close_time: Type.Optional(Nullable(Line(5))),
})

/** Changes of the letters. */
export const LettersChange = Type.Object({
  version: Version(),
  sender_name: Type.Optional(Nullable(Line(100))),
  reply_to: Type.Optional(Nullable(Email())),
  notified_emails: Type.Optional(Type.Array(Email(), { maxItems: ADDRESSES_MAX })),
  letters_off: Type.Optional(Type.Array(Line(64), { maxItems: 50 })),
  renewal_notice_days: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 60 }))),
})

const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const
/** Base64 of 64 KiB, and of a little more, so that a file that is too large is refused as such. */
const LOGO_CHARACTERS_MAX = 96_000

const Branding = {
  brand_color: Type.Optional(Nullable(Line(7))),
  color_scheme: Type.Optional(OneOf(COLOR_SCHEMES)),
  corner_radius: Type.Optional(Type.Integer({ minimum: CORNER_RADIUS.min, maximum: CORNER_RADIUS.max })),
  font_stack: Type.Optional(OneOf(FONT_STACKS)),
  /** Base64 of a PNG or JPEG file; `null` removes the logo. */
  logo: Type.Optional(Nullable(Opaque(LOGO_CHARACTERS_MAX))),
}
export const BrandingChange = Type.Object({ version: Version(), ...Branding })
export const BrandingDraft = Type.Object(Branding)

/** `declined`: the form after an ordinary decline, with its message. */
const PREVIEW_STATES = ['open', 'declined', 'paid', 'expired', 'failed'] as const
const PREVIEW_SURFACES = ['hosted', 'rapid'] as const
export const BrandingPreviewQuery = Type.Object({
  draft: Uuid(),
  locale: OneOf(LOCALES),
  state: OneOf(PREVIEW_STATES),
  surface: OneOf(PREVIEW_SURFACES),
})

export const LimitsChange = Type.Object({
  version: Version(),
  refund_step_up_amount: Type.Optional(Type.Integer({ minimum: 0 })),
  refund_daily_amount: Type.Optional(Type.Integer({ minimum: 0 })),
  customer_export_rows: Type.Optional(Type.Integer({ minimum: 0 })),
  second_factor_required: Type.Optional(Type.Boolean()),
  session_minutes: Type.Optional(Type.Integer({ minimum: 15, maximum: 720 })),
})

export const LetterPreviewQuery = Type.Object({ letter: Line(64), locale: OneOf(LOCALES) })
export const LetterTest = Type.Object({ letter: Line(64), locale: OneOf(LOCALES) })

/** A merchant account at a gateway. */
const Terminal = Type.Object({
  id: Uuid(),
  currency: Currency(),
  gateway: Type.String(),
  /** The end of the gateway's name for the account, after dots. */
  account: Type.String(),
})

const Settings = Type.Object({
  object: Type.Literal('settings'),
  ...Type.Required(Type.Omit(SettingsChange, ['version'])).properties,
  ...Type.Required(Type.Omit(LettersChange, ['version'])).properties,
  version: Type.String(),
  currency: Currency(),
  brand_color: Nullable(Type.String()),
  color_scheme: OneOf(COLOR_SCHEMES),
  corner_radius: Type.Integer(),
  font_stack: OneOf(FONT_STACKS),
  logo_url: Nullable(Type.String()),
  view: Type.Object({
    terminals: Type.Array(Terminal),
    /** Days between the attempts of a bill; they cannot be changed. */
    retry_days: Type.Array(Type.Integer()),
    /** The letters that can be switched off, as audience and kind. */
    letters: Type.Array(OneOf(SWITCHABLE_LETTERS)),
    /** Whether the operator has set up a 3-D Secure server. */
    has_three_ds_server: Type.Boolean(),
  }),
})
export type Settings = Static<typeof Settings>

const Limits = Type.Object({
  object: Type.Literal('dashboard_limits'),
  ...Type.Required(LimitsChange).properties,
})
export type Limits = Static<typeof Limits>

/** How the colour would look on the page. */
const ColorCheck = Type.Object({
  object: Type.Literal('color_check'),
  /** Contrast against the light page; at least 3 is needed. */
  contrast: Type.Number(),
  is_accepted: Type.Boolean(),
  /** The nearest colour that is accepted: the colour itself if it is accepted. */
  nearest: Type.String(),
  /** Colour of the text on the button. */
  text_color: Type.String(),
})
const TerminalTest = Type.Object({
  object: Type.Literal('terminal_test'),
  is_reached: Type.Boolean(),
  /** Message of the gateway; `null` if the gateway was reached. */
  message: Nullable(Type.String()),
  milliseconds: Type.Integer(),
})
const LetterPreview = Type.Object({
  object: Type.Literal('letter_preview'),
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
})

export interface SettingsApi {
  'GET /settings': { response: Settings }
  'PATCH /settings': { body: Static<typeof SettingsChange>; response: Settings }
  'PATCH /settings/letters': { body: Static<typeof LettersChange>; response: Settings }
  'PATCH /branding': { body: Static<typeof BrandingChange>; response: Settings }
  'POST /branding/drafts': {
    body: Static<typeof BrandingDraft>
    response: { object: 'branding_draft'; id: string; color: Static<typeof ColorCheck> | null }
  }
  /** Returns HTML for a sandboxed frame. */
  'GET /branding/preview': { query: Static<typeof BrandingPreviewQuery>; response: string }
  'GET /settings/limits': { response: Limits }
  'PATCH /settings/limits': { body: Static<typeof LimitsChange>; response: Limits }
  'POST /settings/terminals/{id}/test': { response: Static<typeof TerminalTest> }
  'GET /settings/letters/preview': {
    query: Static<typeof LetterPreviewQuery>
    response: Static<typeof LetterPreview>
  }
  /** Returns the letter itself, for a frame without scripts. */
  'GET /settings/letters/preview/html': { query: Static<typeof LetterPreviewQuery>; response: string }
  'POST /settings/letters/test': {
    body: Static<typeof LetterTest>
    response: { object: 'letter'; recipient: string }
  }
}
