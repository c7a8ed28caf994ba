import Type, { type Static } from 'typebox'
import { Day, Email, Line, Metadata, Nullable, OneOf, Opaque, Uuid } from '../formats.ts'
import {
  type PausePreviewRequest,
  PauseRequest,
  type ResumedSubscription,
  ResumeRequest,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionUpdate,
} from '../subscription.ts'
import type { CardChangePreview, CatchUpPreview, Retried, RetryPreview } from './bill-views.ts'
import { ExportBody } from './export.ts'
import { SUBSCRIPTION_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE } from './list.ts'
import type { ShownLink } from './shown-link.ts'
import type {
  CancelPreview,
  CreatePreview,
  PausePreviewPage,
  ResumePreviews,
  SubscriptionPage,
  SubscriptionRow,
} from './subscription-views.ts'
import { CARD_EXPIRIES, FREQUENCIES, STATUS_WORDS, SUBSCRIPTION_TABS } from './subscription-words.ts'

// The calls of the pages about subscriptions.

const UNIT_AMOUNT_MAX = 99_999_999
const REFERENCE_MAX = 255
const words = Object.values(STATUS_WORDS)
const labels = FREQUENCIES.map(({ label }) => label)
const Hash = Type.Optional(Opaque(64))

const SUBSCRIPTION_FILTERS = {
  tab: Type.Optional(OneOf(SUBSCRIPTION_TABS)),
  status: Type.Optional(OneOf(words)),
  customer: Type.Optional(Uuid()),
  price: Type.Optional(Uuid()),
  product: Type.Optional(Uuid()),
  frequency: Type.Optional(OneOf(labels)),
  /** Day of the next bill; both days are inclusive. */
  next_from: Type.Optional(Day()),
  next_to: Type.Optional(Day()),
  card_expiring: Type.Optional(OneOf(CARD_EXPIRIES)),
  /** Beginning of the reference, in upper or lower case. */
  reference: Type.Optional(Line(REFERENCE_MAX)),
}
export const SubscriptionsQuery = Type.Object({ ...DASHBOARD_PAGE, ...SUBSCRIPTION_FILTERS })

export const SubscriptionExport = ExportBody(SUBSCRIPTION_FILTERS, SUBSCRIPTION_COLUMNS)

const { customer: _customer, currency: _currency, ...TERMS } = SubscriptionCreate.properties

/** A new subscription: `customer` or `new_customer`; `price`, `items`, or `amount` with `frequency`. */
export const DashboardSubscriptionCreate = Type.Object({
  ...TERMS,
  customer: Type.Optional(Uuid()),
  new_customer: Type.Optional(Type.Object({ name: Type.Optional(Line(255)), email: Email() })),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: UNIT_AMOUNT_MAX })),
  frequency: Type.Optional(OneOf(labels)),
  contract: Type.Optional(Uuid()),
  reference: Type.Optional(Line(REFERENCE_MAX)),
  preview_hash: Hash,
})
export type DashboardSubscriptionCreate = Static<typeof DashboardSubscriptionCreate>

export const SubscriptionEdit = Type.Object({
  version: Opaque(64),
  reference: Type.Optional(Nullable(Line(REFERENCE_MAX))),
  metadata: Type.Optional(Metadata()),
})
export const PauseWithHash = Type.Object({ ...PauseRequest.properties, preview_hash: Hash })
const { idempotency_key: _key, ...RESUME } = ResumeRequest.properties
export const ResumeBody = Type.Object(RESUME)
export const CancelPreviewBody = Type.Object({ mode: OneOf(['now', 'period_end']) })
export const CancelWithHash = Type.Object({ ...SubscriptionCancel.properties, preview_hash: Hash })
const { payment_method: _card, ...SCHEDULED } = SubscriptionUpdate.properties
export const CancelAtEnd = Type.Object({
  ...SCHEDULED,
  cancel_at_period_end: Type.Boolean(),
  preview_hash: Hash,
})
export const RetryBody = Type.Object({ preview_hash: Hash })
const CARD = { payment_method: Uuid() }
export const CardPreviewBody = Type.Object(CARD)
export const CardBody = Type.Object({ ...CARD, preview_hash: Hash })
/** `bill`: every missed date is charged. `skip`: periods that are over are not charged; the current one is. */
const DECISION = { missed: OneOf(['bill', 'skip']) }
export const CatchUpPreviewBody = Type.Object(DECISION)
export const CatchUpBody = Type.Object({ ...DECISION, preview_hash: Hash })

interface List<Item> {
  object: 'list'
  data: Item[]
  has_more: boolean
  /** `null` for more than 10,000. */
  total: number | null
}

type Page = { response: SubscriptionPage }

export interface SubscriptionsApi {
  'GET /subscriptions': { query: Partial<Static<typeof SubscriptionsQuery>>; response: List<SubscriptionRow> }
  'POST /subscriptions/export': { body: Partial<Static<typeof SubscriptionExport>>; response: unknown }
  'GET /subscriptions/{id}': Page
  'POST /subscriptions/preview': { body: DashboardSubscriptionCreate; response: CreatePreview }
  'POST /subscriptions': { body: DashboardSubscriptionCreate } & Page
  'PATCH /subscriptions/{id}': { body: Static<typeof SubscriptionEdit> } & Page
  'POST /subscriptions/{id}/pause/preview': {
    body: Static<typeof PausePreviewRequest>
    response: PausePreviewPage
  }
  'POST /subscriptions/{id}/pause': { body: Static<typeof PauseWithHash> } & Page
  'POST /subscriptions/{id}/pause-at-period-end/undo': Page
  'POST /subscriptions/{id}/resume/preview': { response: ResumePreviews }
  'POST /subscriptions/{id}/resume': { body: Static<typeof ResumeBody>; response: ResumedSubscription }
  'POST /subscriptions/{id}/cancel/preview': { body: Static<typeof CancelPreviewBody>; response: CancelPreview }
  'DELETE /subscriptions/{id}': { body: Static<typeof CancelWithHash> } & Page
  'POST /subscriptions/{id}': { body: Static<typeof CancelAtEnd> } & Page
  'POST /subscriptions/{id}/retry/preview': { response: RetryPreview }
  'POST /subscriptions/{id}/retry': { body: Static<typeof RetryBody>; response: Retried }
  'POST /subscriptions/{id}/payment_method/preview': {
    body: Static<typeof CardPreviewBody>
    response: CardChangePreview
  }
  'POST /subscriptions/{id}/payment_method': { body: Static<typeof CardBody> } & Page
  /** Returns the link where the customer enters the card, or a different one. */
  'POST /subscriptions/{id}/show_link': { response: ShownLink }
  /** Sends the letter with the link again. */
  'POST /subscriptions/{id}/link': Page
  'POST /subscriptions/{id}/catch_up/preview': {
    body: Static<typeof CatchUpPreviewBody>
    response: CatchUpPreview
  }
  'POST /subscriptions/{id}/catch_up': { body: Static<typeof CatchUpBody> } & Page
}
