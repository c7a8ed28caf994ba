import Type, { type Static } from 'typebox'
import type { LetterAudience, LetterKind, LetterName } from '../letters.ts'
import type { TestClock, TestClockAdvance, TestClockAdvanced } from '../test-clock.ts'
import type { About } from './about.ts'
import { DASHBOARD_PAGE, type Listed } from './list.ts'
import type { ShownLink } from './shown-link.ts'
import type { TestCardEffect } from './test-card-texts.ts'

// The calls of the pages that help testing. Staging only: in production these paths do not exist.

export const MailboxQuery = Type.Object({ ...DASHBOARD_PAGE })

/** A letter in the list of the mailbox. */
export interface MailboxLetter {
  id: string
  object: 'letter'
  kind: LetterKind
  audience: LetterAudience
  /** Name under which it is shown. */
  name: LetterName
  recipient: string
  subject: string
  status: 'pending' | 'sent' | 'kept' | 'failed'
  created: number
  about: About | null
}

/** The letter itself; its HTML is a separate document. */
export interface MailboxLetterDetails extends MailboxLetter {
  sender_name: string
  reply_to: string | null
  locale: string
  text: string
  last_error: string | null
  has_invoice: boolean
  /** Whether the letter has a link, which a separate call shows. */
  has_link: boolean
}

export interface TestCard {
  /** Card number in groups, as on a card. */
  number: string
  /** Result code of the sale; `null` if the cents of the amount decide. */
  code: string | null
  effect: TestCardEffect
  /** Whether the card is for a business that has 3-D Secure. */
  is_three_ds: boolean
}

export interface TestCards {
  object: 'test_cards'
  cards: TestCard[]
  /** Effects of the cents of an amount on the card that depends on them. */
  cents: { cents: string; effect: TestCardEffect }[]
}

/** Objects that were created; refused ones are not counted. */
export interface TestData {
  object: 'test_data'
  customers: number
  payments: number
  declined: number
  refunds: number
  subscriptions: number
}

/** A row of the simulator's ledger. Amounts are in cents, times in milliseconds since 1970. */
export interface SimulatorRow {
  seq: number
  op: 'sale' | 'verify' | 'void' | 'refund' | 'settle'
  terminal: string
  merchant_ref: string
  currency: string
  amount: number
  approved_amount: number
  outcome: 'approved' | 'partial' | 'declined' | 'refused' | 'duplicate'
  /** `null` for a verification, and if nothing was recorded. */
  state: 'open' | 'voided' | 'settled' | 'refunded' | 'declined' | null
  last4: string | null
  delivered: 'yes' | 'no' | 'partly'
  recorded: boolean
  at: number
}

export interface TestToolsApi {
  'GET /test_clock': {
    response: TestClock & { view: { time_zone: string; next_bill_at: number | null } }
  }
  'POST /test_clock/advance': { body: TestClockAdvance; response: TestClockAdvanced }
  'GET /mailbox': { query: Partial<Static<typeof MailboxQuery>>; response: Listed<MailboxLetter> }
  'GET /mailbox/{id}': { response: MailboxLetterDetails }
  /** Returns the link of the letter. */
  'POST /mailbox/{id}/show_link': { response: ShownLink }
  /** Returns an HTML document. */
  'GET /mailbox/{id}/html': { response: string }
  'GET /mailbox/{id}/invoice.pdf': { response: unknown }
  'GET /test_cards': { response: TestCards }
  'POST /test_data': { response: TestData }
  'GET /simulator_ledger': { response: Listed<SimulatorRow> }
}
