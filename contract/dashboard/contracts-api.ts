import Type, { type Static } from 'typebox'
import { EpochSeconds, Line, Nullable, OneOf, Paragraph, Uuid } from '../formats.ts'
import { LOCALES } from '../payment-page.ts'
import { ExportBody } from './export.ts'
import { CONTRACT_COLUMNS } from './export-columns.ts'
import { DASHBOARD_PAGE, DashboardList } from './list.ts'
import type { ShownLink } from './shown-link.ts'
import { SubscriptionBrief } from './subscription-brief.ts'

// The calls of the dashboard's pages about contracts.

const CONTRACT_STATUSES = ['draft', 'sent', 'signed', 'void'] as const
const TEXT_MAX = 100_000

const CONTRACT_FILTERS = {
  status: Type.Optional(OneOf(CONTRACT_STATUSES)),
  customer: Type.Optional(Uuid()),
  /** Part of the title, of the signer's name, or of the customer's name or e-mail address; or a contract number. */
  search: Type.Optional(Line(255)),
}

export const ContractsQuery = Type.Object({ ...DASHBOARD_PAGE, ...CONTRACT_FILTERS })
const Filters = Type.Object(CONTRACT_FILTERS)
export type ContractFilters = Static<typeof Filters>
export const ContractsExport = ExportBody(CONTRACT_FILTERS, CONTRACT_COLUMNS)

const ContractRow = Type.Object({
  object: Type.Literal('contract'),
  id: Uuid(),
  title: Type.String(),
  status: OneOf(CONTRACT_STATUSES),
  customer: Type.Object({ id: Uuid(), name: Nullable(Type.String()), email: Nullable(Type.String()) }),
  subscription: Nullable(Uuid()),
  /** What the subscription charges for, as names and quantities. */
  subscription_description: Nullable(Type.String()),
  /** Whether a bill that is due, or the start of the subscription, waits for the signature. */
  is_awaited: Type.Boolean(),
  created: EpochSeconds(),
  sent_at: Nullable(EpochSeconds()),
  signed_at: Nullable(EpochSeconds()),
  voided_at: Nullable(EpochSeconds()),
})
export type ContractRow = Static<typeof ContractRow>
const ContractList = DashboardList(ContractRow)

const ContractDetail = Type.Object({
  ...ContractRow.properties,
  text: Type.String(),
  signature: Nullable(
    Type.Object({
      name: Type.String(),
      ip: Type.String(),
      at: EpochSeconds(),
      /** Whether a member of the team used this address in the 30 days before; `null` if that was not checked. */
      team_seen_there: Nullable(Type.Boolean()),
    }),
  ),
  /** URL where the customer signs; only in the response of the call that sends the contract, otherwise `null`. */
  url: Nullable(Type.String()),
  linked: Type.Union([SubscriptionBrief, Type.Null()]),
})
export type ContractDetail = Static<typeof ContractDetail>

const DRAFT = {
  customer: Uuid(),
  subscription: Type.Optional(Uuid()),
  /** Text, which may contain placeholders: `{{customer_name}}`. */
  text: Paragraph(TEXT_MAX),
  /** Language for amounts and days; by default the language of the business. */
  locale: Type.Optional(OneOf(LOCALES)),
}
export const ContractPreviewBody = Type.Object(DRAFT)
export const ContractCreate = Type.Object({ title: Line(255), ...DRAFT })
export type ContractCreate = Static<typeof ContractCreate>

const ContractPreview = Type.Object({
  text: Type.String(),
  /** Placeholders for which no value is known. */
  unfilled: Type.Array(Type.String()),
})

export const ContractLink = Type.Object({ subscription: Uuid() })

/** The contract that was sent. `letter_to`: the address to which a letter went; `null` if none was sent. */
const Sent = Type.Object({ ...ContractDetail.properties, letter_to: Nullable(Type.String()) })

type One = { response: ContractDetail }

export interface ContractsApi {
  'GET /contracts': { query: Partial<Static<typeof ContractsQuery>>; response: Static<typeof ContractList> }
  'POST /contracts/export': { body: Static<typeof ContractsExport>; response: string }
  'POST /contracts/preview': {
    body: Static<typeof ContractPreviewBody>
    response: Static<typeof ContractPreview>
  }
  'POST /contracts': { body: ContractCreate } & One
  'GET /contracts/{id}': One
  'GET /contracts/{id}/pdf': { response: string }
  'POST /contracts/{id}/link': { body: Static<typeof ContractLink> } & One
  'POST /contracts/{id}/send': { response: Static<typeof Sent> }
  'POST /contracts/{id}/resend': { response: Static<typeof Sent> }
  'POST /contracts/{id}/void': One
  /** Returns the link where the customer signs a contract that was sent. */
  'POST /contracts/{id}/show_link': { response: ShownLink }
}
