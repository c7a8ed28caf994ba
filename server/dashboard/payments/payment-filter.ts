import type { PaymentFilters, PaymentKind } from '../../../contract/dashboard/payment-row.ts'
import type { Business } from '../../businesses/business.ts'
import { addSeconds } from '../../lib/clock.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { ChargeOwnerKind } from '../../payments/operation.ts'
import { dayRange } from '../day-range.ts'

/** Filter for a list, an export and a count of payments. */
export interface PaymentFilter extends Omit<PaymentFilters, 'from' | 'to' | 'kind' | 'currency'> {
  businessId: string
  currency?: 'USD' | 'CAD' | undefined
  owners?: readonly ChargeOwnerKind[] | undefined
  /** Both times are in the business's time; the end is exclusive. */
  since?: Date | undefined
  until?: Date | undefined
  /** Sales with ids outside of these are of other days. */
  firstId?: string | undefined
  endId?: string | undefined
  /** Sales from this id on are not before `since`. */
  sureId?: string | undefined
  /** Sales before this id are before `until`. */
  sureEndId?: string | undefined
  /**
   * Both in real time. A sale that was final before one of these counts as before it, whatever the business's clock
   * showed.
   */
  realSince?: Date | undefined
  realUntil?: Date | undefined
}

const OWNERS: Record<PaymentKind, readonly ChargeOwnerKind[]> = {
  session: ['session'],
  sale: ['stored_card_sale'],
  subscription: ['bill', 'subscription_start', 'subscription_resume'],
}

export const kindOf = (owner: ChargeOwnerKind): PaymentKind =>
  owner === 'session' ? 'session' : owner === 'stored_card_sale' ? 'sale' : 'subscription'

/** Longest time from sending a sale to recording its payment. Recovery adopts it later than any other writer. */
const RECORDED_WITHIN_SECONDS = 172_800

/** A payment and the end of its sale are written together; their times differ by less than this. */
const STATEMENT_SECONDS = 60

/** @throws ApiError `validation_failed` when the last day is before the first */
export function paymentFilter(business: Business, query: PaymentFilters): PaymentFilter {
  const { from, to, kind, currency, ...rest } = query
  const range = dayRange({ from, to }, business.timeZone)
  const [since, until] = [range.since ?? undefined, range.until ?? undefined]
  const aheadSeconds = business.clockOffsetSeconds + RECORDED_WITHIN_SECONDS
  const realSeconds = business.clockOffsetSeconds + STATEMENT_SECONDS
  return {
    ...rest,
    businessId: business.id,
    currency: currency && (currency === 'usd' ? 'USD' : 'CAD'),
    owners: kind && OWNERS[kind],
    since,
    until,
    // An id tells the real time; the time of the business may be ahead of it.
    firstId: since && firstIdAt(addSeconds(since, -aheadSeconds)),
    sureId: since && firstIdAt(since),
    realSince: since && addSeconds(since, -realSeconds),
    realUntil: until && addSeconds(until, -realSeconds),
    endId: until && firstIdAt(until),
    sureEndId: until && firstIdAt(addSeconds(until, -aheadSeconds)),
  }
}
