import type { Business } from '../../businesses/business.ts'
import type { Cadence } from '../../catalog/cadence.ts'
import type { Price } from '../../catalog/price.ts'
import { storedCardFacts, surchargeOf } from '../../checkout/pay/surcharge.ts'
import type { ChargeableCard } from '../../customers/stored-card.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { AMOUNT_CENTS_MAX, type Cents, decimalFromCents } from '../../lib/money.ts'
import { isPast } from '../../vault/card.ts'
import { cardDeclined } from '../charge-refusal.ts'
import { type BillAmounts, billAmounts } from '../plan/amounts.ts'
import type { OrderedItem, SubscriptionOrder } from './order.ts'

export interface OfferedPrice extends Price {
  productIsActive: boolean
  /** Set if the price was made for this subscription and is not for sale to others. */
  isOwn?: true
}

export interface OfferedCard extends ChargeableCard {
  detachedAt: Date | null
  /** Result code that forbids charges without the payer (BIL-20); `null` if none does. */
  chargeBlock: string | null
}

/**
 * The objects that an order names, as far as they exist in the business; the card only if it belongs to the customer.
 */
export interface OrderParts {
  customerExists: boolean
  prices: ReadonlyMap<string, OfferedPrice>
  card: OfferedCard | null
}

/** What each bill charges, and how often. */
export interface SubscriptionTerms {
  cadence: Cadence
  /** Amount of the only item; with several items the sum of all, and `quantity` is 1. */
  unitAmount: Cents
  quantity: number
  /** 0 if the card must not be surcharged; `null` if no rate was given. */
  surchargeRatePpm: number | null
  amounts: BillAmounts
}

type Merchant = Pick<Business, 'currency' | 'country' | 'province' | 'surchargeRounding'>

/**
 * Checks an order against the objects it names.
 *
 * @param now in the business's time
 * @throws ApiError `not_found`, `validation_failed`, each with the parameter
 * @see SUB-1 to SUB-3, CAT-3, BIL-14 to BIL-16
 */
export function checkNewSubscription(
  order: SubscriptionOrder,
  parts: OrderParts,
  { business, now }: { business: Merchant; now: Date },
): SubscriptionTerms {
  if (!parts.customerExists) throw unknown('customer', 'does not exist in this business')
  const items = order.items.map((item) => ({ ...item, price: existing(item, parts) }))
  if (order.storedCardId !== null && parts.card === null)
    throw unknown('payment_method', 'does not exist for this customer')
  const cadences = items.map(({ price, param }) => checkPrice(price, param, business))
  const [cadence] = cadences
  if (!cadence) throw new Error('an order has at least one item')
  for (const [index, other] of cadences.entries()) {
    if (other.interval !== cadence.interval || other.count !== cadence.count)
      throw invalidField(items[index]?.param ?? 'items', 'must recur as often as the other prices')
  }
  if (parts.card) checkCard(parts.card, now)
  return { cadence, ...amountsOf(order, items, parts.card, business) }
}

const unknown = (param: string, text: string) =>
  new ApiError('not_found', {
    message: `No such ${param.split('.').at(-1)?.replace('_', ' ')}`,
    errors: { [param]: [text] },
  })

function existing({ priceId, param }: OrderedItem, { prices }: OrderParts): OfferedPrice {
  const price = prices.get(priceId)
  if (!price) throw unknown(param, 'does not exist in this business')
  return price
}

function checkPrice(price: OfferedPrice, param: string, { currency }: Merchant): Cadence {
  if (price.cadence === null) throw invalidField(param, 'is paid once; a subscription needs a recurring price')
  if (!price.active && !price.isOwn) throw invalidField(param, 'is not active')
  if (!price.productIsActive && !price.isOwn) throw invalidField(param, 'is of a product that is not active')
  if (price.currency !== currency)
    throw invalidField(param, `is in ${price.currency}, and the business charges ${currency}`)
  return price.cadence
}

function checkCard(card: OfferedCard, now: Date): void {
  const param = 'payment_method'
  if (card.detachedAt !== null) throw invalidField(param, 'is detached')
  if (isPast({ month: card.expMonth, year: card.expYear }, now)) throw invalidField(param, 'has expired')
  if (card.chargeBlock !== null)
    throw cardDeclined({ code: card.chargeBlock, message: 'the issuer forbade further charges of it' })
}

function amountsOf(
  order: SubscriptionOrder,
  items: readonly { price: Price; quantity: number; param: string }[],
  card: OfferedCard | null,
  business: Merchant,
): Omit<SubscriptionTerms, 'cadence'> {
  const baseAmount = items.reduce((sum, { price, quantity }) => sum + price.unitAmount * quantity, 0) as Cents
  const surchargeRatePpm = rateFor(card, order.surchargeRatePpm, business)
  const { taxRatePpm } = order
  const { surchargeRounding } = business
  const amounts = billAmounts({ baseAmount, taxRatePpm, surchargeRatePpm, surchargeRounding })
  if (amounts.total > AMOUNT_CENTS_MAX) {
    const most = decimalFromCents(AMOUNT_CENTS_MAX as Cents)
    throw invalidField(
      items[0]?.param.split('.')[0] ?? 'items',
      `each bill may charge at most ${most} with tax and surcharge`,
    )
  }
  const [only] = items
  const terms = { surchargeRatePpm, amounts }
  if (only && items.length === 1) return { ...terms, unitAmount: only.price.unitAmount, quantity: only.quantity }
  return { ...terms, unitAmount: baseAmount, quantity: 1 }
}

/** Returns the rate; 0 for a card that must not be surcharged (BIL-16). */
function rateFor(card: OfferedCard | null, ratePpm: number | null, business: Merchant): number | null {
  if (ratePpm === null || card === null) return ratePpm
  const rate = { amountTotal: 0 as Cents, surchargeRateBp: ratePpm, currency: business.currency }
  return surchargeOf(rate, business, storedCardFacts(card)).applies ? ratePpm : 0
}
