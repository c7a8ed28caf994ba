import type { SurchargeDue } from '../../contract/checkout-form.ts'
import type { Business } from '../businesses/business.ts'
import { type Cents, decimalFromCents, shareOf } from '../lib/money.ts'
import type { Funding } from '../vault/bin-table.ts'
import type { OpenSession } from './find-payable.ts'
import type { Session } from './session.ts'

/** Where a card is billed, as far as the payer said. */
export interface BillingPlace {
  country?: string | undefined
  state?: string | undefined
  postal_code?: string | undefined
}

/** What is charged on top of a session, and what is charged in all. */
export interface Surcharge {
  applies: boolean
  amount: Cents
  /** The total of the session, with the surcharge where it applies. */
  total: Cents
}

const QUEBEC_NAMES = new Set(['QC', 'CA-QC', 'PQ', 'QUEBEC', 'QUÉBEC'])
/** Canadian postal codes of Quebec begin with these. */
const QUEBEC_POSTAL_CODE = /^[GHJ]/
/** Without a country only what cannot be another country's code counts: `G1 1AA` is Glasgow. */
const QUEBEC_POSTAL_CODE_SURELY = /^[GHJ]\d[A-Z]/

/**
 * The surcharge of one card. Only credit cards, where the session asks for it, and never for Quebec: its law forbids it, so
 * one hint is enough.
 *
 * @param places every address that is known of the card
 * @see spec «surcharge»; contract 4; payment-page.md F-43
 */
export function surchargeOf(
  session: Pick<Session, 'amountTotal' | 'surchargeRateBp'>,
  business: Pick<Business, 'country' | 'province'>,
  { funding, places }: { funding: Funding; places: readonly BillingPlace[] },
): Surcharge {
  const { amountTotal: total, surchargeRateBp: rate } = session
  const isBarred = isQuebecBusiness(business) || places.some(isInQuebec)
  if (rate === null || funding !== 'credit' || isBarred) return { applies: false, amount: 0 as Cents, total }
  const amount = shareOf(total, rate)
  return { applies: true, amount, total: (total + amount) as Cents }
}

/** What is known of a stored card, wherever it is asked for. */
export function storedCardFacts({ funding, postalCode }: { funding: Funding; postalCode: string | null }) {
  return { funding, places: postalCode === null ? [] : [{ postal_code: postalCode }] }
}

export function isQuebecBusiness({ country, province }: Pick<Business, 'country' | 'province'>): boolean {
  return country === 'CA' && province?.toUpperCase() === 'QC'
}

/** Of a country that was not said, Canada is what it may be. */
function isInQuebec({ country = '', state = '', postal_code = '' }: BillingPlace): boolean {
  const isCanada = country.trim().toUpperCase() === 'CA'
  if (country.trim() !== '' && !isCanada) return false
  if (QUEBEC_NAMES.has(state.trim().toUpperCase())) return true
  const code = postal_code.replace(/\s/g, '').toUpperCase()
  return (isCanada ? QUEBEC_POSTAL_CODE : QUEBEC_POSTAL_CODE_SURELY).test(code)
}

/** As the public paths tell it, in percent and major units. `null` for a session without a surcharge. */
export function surchargeView(
  { session }: Pick<OpenSession, 'session'>,
  { applies, amount, total }: Surcharge,
): SurchargeDue | null {
  if (session.surchargeRateBp === null) return null
  return {
    applies,
    rate: session.surchargeRateBp / 100,
    amount: decimalFromCents(amount),
    total: decimalFromCents(total),
  }
}
