import { conflict, type Subscription } from '../subscription.ts'

/**
 * Checks whether the subscription can be canceled in this way.
 *
 * @throws ApiError `conflict` if it cannot
 * @see SUB-12
 */
export function requireCancelable({ status }: Pick<Subscription, 'status'>, mode: 'now' | 'period_end'): void {
  if (mode === 'period_end') {
    if (status !== 'active')
      throw conflict(`The subscription is ${status}. Only an active one is canceled at the end of its period.`)
  } else if (status === 'canceled' || status === 'completed') throw conflict(`The subscription is ${status} already.`)
}
