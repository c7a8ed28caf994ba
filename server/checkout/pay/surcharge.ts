import type { SurchargeDue } from '../../../contract/checkout-form.ts'
import type { Business } from '../../businesses/business.ts'
import { type Cents, decimalFromCents, shareOf } from '../../lib/money.ts'
import type { Funding } from '../../vault/bin-table.ts'
import type { CardPlace } from '../../vault/card.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import type { Session } from '../sessions/session.ts'
import { type BillingPlace, type PlaceReading, readPlace } from './billing-place.ts'

/** What is charged on top of a session, and what is charged in all. */
export interface Surcharge {
  applies: boolean
  amount: Cents
  /** The total of the session, with the surcharge where it applies. */
  total: Cents
}

/**
 * The surcharge of one card. Only credit cards, where the session asks for it, and never for Quebec: its law forbids it, so
 * one hint is enough, and so is a place that is not known where it may be there.
 *
 * @param places every address that is known of the card
 * @see CHK-47 to CHK-50
 */
export function surchargeOf(
  session: Pick<Session, 'amountTotal' | 'surchargeRateBp' | 'currency'>,
  business: Pick<Business, 'country' | 'province'>,
  { funding, places }: { funding: Funding; places: readonly BillingPlace[] },
): Surcharge {
  const { amountTotal: total, surchargeRateBp: rate, currency } = session
  const isCanadian = business.country === 'CA' || currency === 'CAD'
  const isBarred = isQuebecBusiness(business) || mayBeInQuebec(places.map(readPlace), isCanadian)
  if (rate === null || funding !== 'credit' || isBarred) return { applies: false, amount: 0 as Cents, total }
  const amount = shareOf(total, rate)
  return { applies: true, amount, total: (total + amount) as Cents }
}

/** What is known of a stored card, wherever it is asked for. */
export function storedCardFacts({ funding, place }: { funding: Funding; place: CardPlace }) {
  return { funding, places: [billingPlace(place)] }
}

/** As a card keeps it. */
export function billingPlace({ country, state, postalCode }: CardPlace): BillingPlace {
  return {
    ...(country !== null && { country }),
    ...(state !== null && { state }),
    ...(postalCode !== null && { postal_code: postalCode }),
  }
}

/** As the public paths take it. */
export function cardPlace({ country, state, postal_code }: BillingPlace): CardPlace {
  const given = (text: string | undefined) => text?.trim() || null
  return { country: given(country), state: given(state), postalCode: given(postal_code) }
}

/** Goods that go to Quebec speak against a surcharge; those that go elsewhere do not say where the card is billed. */
export function withShipping(places: readonly BillingPlace[], shipping: BillingPlace = {}): BillingPlace[] {
  return readPlace(shipping) === 'quebec' ? [...places, shipping] : [...places]
}

export function isQuebecBusiness({ country, province }: Pick<Business, 'country' | 'province'>): boolean {
  return country === 'CA' && province?.toUpperCase() === 'QC'
}

/** A place that nobody knows may be in Quebec, where the business or the currency is Canadian. */
function mayBeInQuebec(readings: readonly PlaceReading[], isCanadian: boolean): boolean {
  if (readings.includes('quebec')) return true
  if (readings.includes('elsewhere')) return false
  return isCanadian || readings.includes('canada')
}

/** As the public paths tell it, in percent and major units. `null` for a session without a surcharge. */
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
