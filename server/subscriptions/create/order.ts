import type { Metadata } from '../../../contract/formats.ts'
import type { SubscriptionCreate } from '../../../contract/subscription.ts'
import type { Business } from '../../businesses/business.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { readRatePpm, TAX_RATE_MAX } from '../../lib/rate.ts'
import { billingDay, type Day, dayOf, readDay } from '../plan/calendar.ts'

const SURCHARGE_RATE_MAX = 2.4
const START_AHEAD_MAX = { interval: 'year', count: 1 } as const

export interface OrderedItem {
  priceId: string
  quantity: number
  /** Parameter that named the price: `price`, `items.0.price`. */
  param: string
}

/** What a merchant asks for, as far as it can be read without the database. */
export interface SubscriptionOrder {
  customerId: string
  items: readonly OrderedItem[]
  storedCardId: string | null
  startDate: Day
  installments: number | null
  /** Millionths; `null` if none was given. */
  taxRatePpm: number | null
  surchargeRatePpm: number | null
  /** Whether the customer is e-mailed the link; `false` with a card. */
  sendsPaymentLink: boolean
  metadata: Metadata
}

/**
 * @param now in the business's time
 * @throws ApiError `validation_failed`
 */
export function readOrder(
  input: SubscriptionCreate,
  { business, now }: { business: Pick<Business, 'timeZone'>; now: Date },
): SubscriptionOrder {
  const { customer, payment_method: storedCardId = null, installments = null, metadata = {} } = input
  return {
    customerId: customer,
    items: itemsOf(input),
    storedCardId,
    startDate: startDateOf(input, dayOf(now, business.timeZone)),
    installments,
    taxRatePpm: rateOf('tax_rate', input.tax_rate, TAX_RATE_MAX),
    surchargeRatePpm: rateOf('surcharge_rate', input.surcharge_rate, SURCHARGE_RATE_MAX),
    sendsPaymentLink: storedCardId === null && (input.send_payment_link ?? true),
    metadata,
  }
}

function itemsOf({ price, items }: SubscriptionCreate): OrderedItem[] {
  if (price !== undefined && items !== undefined) throw invalidField('items', 'cannot be sent together with price')
  if (price !== undefined) return [{ priceId: price, quantity: 1, param: 'price' }]
  if (items === undefined) {
    throw new ApiError('validation_failed', {
      message: 'Send a price, or items',
      errors: { price: ['is required without items'], items: ['is required without price'] },
    })
  }
  return items.map((item, index) => ({ priceId: item.price, quantity: item.quantity, param: `items.${index}.price` }))
}

function startDateOf({ start_date: given }: SubscriptionCreate, today: Day): Day {
  if (given === undefined) return today
  const day = readDay(given)
  if (day === null) throw invalidField('start_date', 'must be a day of the calendar, YYYY-MM-DD')
  if (day < today) throw invalidField('start_date', `must not be in the past: today is ${today} for the business`)
  const last = billingDay(today, START_AHEAD_MAX, 1)
  if (day > last) throw invalidField('start_date', `must be at most a year ahead: ${last} or earlier`)
  return day
}

function rateOf(param: 'tax_rate' | 'surcharge_rate', percent: number | undefined, max: number): number | null {
  if (percent === undefined) return null
  const ppm = readRatePpm(percent, max)
  if (ppm === null) throw invalidField(param, `must be a percentage from 0 to ${max} with at most four decimals`)
  return ppm
}
