import Type, { type Static } from 'typebox'
import { Customer, type CustomerCreate, CustomerUpdate } from '../customer.ts'
import { Currency, Day, EpochSeconds, Line, Nullable, OneOf, Opaque, Uuid } from '../formats.ts'
import { PaymentMethod } from '../payment-method.ts'
import { About } from './about.ts'
import { ExportBody } from './export.ts'
import { CUSTOMER_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'
import { PaymentRow } from './payment-row.ts'
import { SessionRow } from './sessions-api.ts'
import { SubscriptionBrief } from './subscription-brief.ts'

// The calls of the dashboard's pages about customers and their saved cards. Amounts in cents.

/** The filters of the list and of its export. */
const CUSTOMER_FILTERS = {
  /** Words of a name or an e-mail address, or an id (DSH-175). */
  search: Type.Optional(Line(255)),
  has_card: Type.Optional(Type.Boolean()),
  /** Whether the customer has an active or paused subscription. */
  has_subscription: Type.Optional(Type.Boolean()),
  /** Day of creation; both days are inclusive. */
  from: Type.Optional(Day()),
  to: Type.Optional(Day()),
}
export const CustomersQuery = Type.Object({ ...DASHBOARD_PAGE, ...CUSTOMER_FILTERS })

export const CustomersExport = ExportBody(CUSTOMER_FILTERS, CUSTOMER_COLUMNS)

const Money = Type.Object({ currency: Currency(), amount: Type.Integer() })

const CustomerFigures = Type.Object({
  cards: Type.Integer(),
  active_subscriptions: Type.Integer(),
  /** Amounts paid less refunds, in each currency. */
  paid: Type.Array(Money),
})
export type CustomerFigures = Static<typeof CustomerFigures>

const CustomerRow = Type.Object({ ...Customer.properties, view: CustomerFigures })
export type CustomerRow = Static<typeof CustomerRow>
const CustomerList = DashboardList(CustomerRow)

const CustomerCard = Type.Object({
  ...PaymentMethod.properties,
  view: Type.Object({
    name_on_card: Nullable(Type.String()),
    funding: OneOf(['credit', 'debit', 'prepaid', 'unknown']),
    is_expired: Type.Boolean(),
    /** The result code after which the card may only be charged with its holder present; `null` if there is none. */
    charge_block: Nullable(Type.String()),
    /** Number of subscriptions that are charged to the card. */
    subscriptions: Type.Integer(),
  }),
})
export type CustomerCard = Static<typeof CustomerCard>

const CustomerLetter = Type.Object({
  id: Uuid(),
  kind: Type.String(),
  recipient: Type.String(),
  subject: Type.String(),
  status: OneOf(['pending', 'sent', 'kept', 'failed']),
  about: Nullable(About),
  created: EpochSeconds(),
})
export type CustomerLetter = Static<typeof CustomerLetter>

const CustomerContract = Type.Object({
  id: Uuid(),
  title: Type.String(),
  status: OneOf(['draft', 'sent', 'signed', 'void']),
  subscription: Nullable(Uuid()),
  created: EpochSeconds(),
})
export type CustomerContract = Static<typeof CustomerContract>

/** The newest items of a list. */
const Newest = <Item extends ReturnType<typeof Type.Object>>(item: Item) =>
  Type.Object({ data: Type.Array(item), has_more: Type.Boolean() })

const CardLinks = Type.Object({
  count: Type.Integer({ minimum: 1 }),
  /** When the newest link was created, and when the last one expires. */
  created: EpochSeconds(),
  expires: EpochSeconds(),
})
export type CardLinks = Static<typeof CardLinks>

const CustomerDetail = Type.Object({
  ...Customer.properties,
  /** Version of the editable fields: name, e-mail, phone, metadata. */
  version: Type.String(),
  view: Type.Object({
    ...CustomerFigures.properties,
    locale: Nullable(Type.String()),
    payment_methods: Type.Array(CustomerCard),
    subscriptions: Newest(SubscriptionBrief),
    /** Rows as in the lists of payments and of sessions, for this customer. */
    payments: Newest(PaymentRow),
    sessions: Newest(SessionRow),
    letters: Newest(CustomerLetter),
    contracts: Newest(CustomerContract),
    /** Links with which the customer can store a card now; `null` if there are none. */
    card_links: Nullable(CardLinks),
  }),
})
export type CustomerDetail = Static<typeof CustomerDetail>

/** A person's change or an event that concerns a customer or one of their cards. */
const HistoryEntry = Type.Object({
  id: Uuid(),
  kind: OneOf(['audit', 'event']),
  /** `customer.update`, `customer.updated` */
  what: Type.String(),
  object_type: Nullable(Type.String()),
  object_id: Nullable(Type.String()),
  /** Who made the change; only for an audit entry. */
  who: Nullable(Type.String()),
  changed: Type.Array(Type.String()),
  created: EpochSeconds(),
})
export type HistoryEntry = Static<typeof HistoryEntry>
const CustomerHistory = Newest(HistoryEntry)

const HISTORY_MAX = 500
const HISTORY = 50
export const HistoryQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: HISTORY_MAX, default: HISTORY }),
})

export const CustomerLettersQuery = Type.Object(DASHBOARD_PAGE)
const CustomerLetterList = DashboardList(CustomerLetter)

export const CustomerEdit = Type.Object({ ...CustomerUpdate.properties, version: Opaque(64) })

export const CardDetach = Type.Object({ preview_hash: Type.Optional(Opaque(64)) })

const DetachPreview = Type.Object({
  preview_hash: Type.String(),
  card: CustomerCard,
  /** Subscriptions that are charged to the card; their next bills will be declined. */
  subscriptions: Type.Array(SubscriptionBrief),
})
export type DetachPreview = Static<typeof DetachPreview>

/** How the customer gets the link; `link`: the merchant passes it on. */
export const CardRequestBody = Type.Object({ by: OneOf(['letter', 'link']) })

const CardRequest = Type.Object({
  object: Type.Literal('card_request'),
  customer: Uuid(),
  /** The page where the customer stores a card; `null` if the same call is repeated. */
  url: Nullable(Type.String({ format: 'url' })),
  expires: EpochSeconds(),
  letter_to: Nullable(Type.String()),
})
export type CardRequest = Static<typeof CardRequest>

export interface CustomersApi {
  'GET /customers': { query: Partial<Static<typeof CustomersQuery>>; response: Static<typeof CustomerList> }
  'POST /customers/export': { body: Static<typeof CustomersExport>; response: string }
  'POST /customers': { body: CustomerCreate; response: CustomerDetail }
  'GET /customers/{id}': { response: CustomerDetail }
  'PATCH /customers/{id}': { body: Static<typeof CustomerEdit>; response: CustomerDetail }
  'POST /customers/{id}/card_request': { body: Static<typeof CardRequestBody>; response: CardRequest }
  'POST /customers/{id}/revoke_card_links': { response: CustomerDetail }
  'GET /customers/{id}/history': {
    query: Partial<Static<typeof HistoryQuery>>
    response: Static<typeof CustomerHistory>
  }
  'GET /customers/{id}/letters': {
    query: Partial<Static<typeof CustomerLettersQuery>>
    response: Static<typeof CustomerLetterList>
  }
  'POST /payment_methods/{id}/detach/preview': { response: DetachPreview }
  'POST /payment_methods/{id}/detach': { body: Static<typeof CardDetach>; response: Static<typeof PaymentMethod> }
}
