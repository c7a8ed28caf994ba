import type { SurchargeDue } from '../../../contract/checkout-form.ts'
import type { Business } from '../../businesses/business.ts'
import { type Cents, centsFromDecimal, decimalFromCents, shareOf } from '../../lib/money.ts'
import type { Funding } from '../../vault/bin-table.ts'
import type { Card, CardPlace } from '../../vault/card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { Session } from '../sessions/session.ts'
import { type BillingPlace, type PlaceReading, readPlace } from './billing-place.ts'

/** Surcharge of a payment, and the total including it. */
export interface Surcharge {
  applies: boolean
  amount: Cents
  /** Total of the session, in cents, including the surcharge if it applies. */
  total: Cents
}

/**
 * Computes the surcharge of one card. It applies only to credit cards, only if the session has a rate, and never in
 * Quebec, where it is illegal. One indication of Quebec is enough, and so is an unknown place that may be there.
 *
 * @param places every known address of the card
 * @see CHK-47 to CHK-50
 */
export function surchargeOf(
  session: Pick<Session, 'amountTotal' | 'surchargeRateBp' | 'currency'> & Partial<Pick<Session, 'surchargeFixed'>>,
  business: Pick<Business, 'country' | 'province'>,
  { funding, places }: { funding: Funding; places: readonly BillingPlace[] },
): Surcharge {
  const { amountTotal: total, surchargeRateBp: rate, currency } = session
  const isCanadian = business.country === 'CA' || currency === 'CAD'
  const isBarred = isQuebecBusiness(business) || mayBeInQuebec(places.map(readPlace), isCanadian)
  if (rate === null || funding !== 'credit' || isBarred) return { applies: false, amount: 0 as Cents, total }
  const amount = session.surchargeFixed ?? shareOf(total, rate)
  return { applies: true, amount, total: (total + amount) as Cents }
}

/**
 * Returns the funding that decides whether a payment has a surcharge. A wallet shows the amount before its card is
 * known, so a payment of the session's own total is charged exactly that, whatever the card.
 *
 * @see GPY-11
 */
export function fundingOfPayment(
  { funding, wallet }: Pick<Card, 'funding' | 'wallet'>,
  amount: number,
  { amountTotal }: Pick<Session, 'amountTotal'>,
): Funding {
  return wallet !== null && centsFromDecimal(amount) === amountTotal ? 'unknown' : funding
}

/** Returns the facts of a stored card that determine its surcharge. */
export function storedCardFacts({ funding, place }: { funding: Funding; place: CardPlace }) {
  return { funding, places: [billingPlace(place)] }
}

/** Converts the place of a card to the fields of the API. */
export function billingPlace({ country, state, postalCode }: CardPlace): BillingPlace {
  return {
    ...(country !== null && { country }),
    ...(state !== null && { state }),
    ...(postalCode !== null && { postal_code: postalCode }),
  }
}

/** Converts the fields of the API to the place of a card. */
export function cardPlace({ country, state, postal_code }: BillingPlace): CardPlace {
  const given = (text: string | undefined) => text?.trim() || null
  return { country: given(country), state: given(state), postalCode: given(postal_code) }
}

/** Adds a shipping address in Quebec. Any other shipping address does not indicate where the card is billed. */
export function withShipping(places: readonly BillingPlace[], shipping: BillingPlace = {}): BillingPlace[] {
  return readPlace(shipping) === 'quebec' ? [...places, shipping] : [...places]
}

export function isQuebecBusiness({ country, province }: Pick<Business, 'country' | 'province'>): boolean {
  return country === 'CA' && province?.toUpperCase() === 'QC'
}

/** Whether a card may be billed in Quebec. An unknown place may be if the business or the currency is Canadian. */
function mayBeInQuebec(readings: readonly PlaceReading[], isCanadian: boolean): boolean {
  if (readings.includes('quebec')) return true
  if (readings.includes('elsewhere')) return false
  return isCanadian || readings.includes('canada')
}

/** Returns the surcharge for the API, in percent and major units; `null` if the session has no surcharge. */
export function surchargeView(
  { session }: Pick<LoadedSession, 'session'>,
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
