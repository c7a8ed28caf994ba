import type { Metadata } from '../../contract/formats.ts'
import type { Price as PriceObject } from '../../contract/price.ts'
import { epochSeconds } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import type { Cents, Currency } from '../lib/money.ts'
import type { Cadence } from './cadence.ts'

/** Price of a product, paid once or at an interval. Amount, currency and cadence never change. */
export interface Price {
  id: string
  productId: string
  unitAmount: Cents
  currency: Currency
  /** Interval of the price; `null` if it is paid once. */
  cadence: Cadence | null
  nickname: string | null
  active: boolean
  metadata: Metadata
  createdAt: Date
}

/** Returns the price as the merchant API and its events show it. */
export function priceObject({ id, productId, unitAmount, currency, cadence, ...price }: Price): PriceObject {
  const { nickname, active, metadata, createdAt } = price
  return {
    id,
    object: 'price',
    product: productId,
    unit_amount: unitAmount,
    currency: currency === 'USD' ? 'usd' : 'cad',
    recurring: cadence && { interval: cadence.interval, interval_count: cadence.count },
    nickname,
    active,
    metadata,
    created: epochSeconds(createdAt),
  }
}

export const noSuchPrice = () =>
  new ApiError('not_found', { message: 'No such price', errors: { id: ['does not exist in this business'] } })
