import type { SignUpInterval } from '../../../contract/checkout-session.ts'
import type { Cadence } from '../../catalog/cadence.ts'

/** Cadence of a price for each interval name of checkout sessions. @see CHK-18 */
const CADENCES: Record<SignUpInterval, Cadence> = {
  Daily: { interval: 'day', count: 1 },
  Weekly: { interval: 'week', count: 1 },
  'Bi-Weekly': { interval: 'week', count: 2 },
  Monthly: { interval: 'month', count: 1 },
  Quarterly: { interval: 'month', count: 3 },
  'Twice a year': { interval: 'month', count: 6 },
  Annual: { interval: 'year', count: 1 },
}

export const cadenceOf = (interval: SignUpInterval): Cadence => CADENCES[interval]

export function intervalOf({ interval, count }: Cadence): SignUpInterval {
  const words = Object.keys(CADENCES) as SignUpInterval[]
  const word = words.find((one) => CADENCES[one].interval === interval && CADENCES[one].count === count)
  if (!word) throw new Error(`a cadence of ${count} ${interval} has no word`)
  return word
}
