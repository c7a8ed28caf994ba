import type { Model } from './model.ts'
import type { PauseBody } from './oracle-requests.ts'
import type { Random } from './random.ts'

// The requests of merchants, valid and invalid, drawn at random.

export type RequestName =
  | 'pause'
  | 'take back the pause'
  | 'cancel'
  | 'cancel at end'
  | 'take back the cancel'
  | 'resume now'
  | 'resume unchanged'
  | 'resume with a wrong quote'
  | 'resume without a quote'
  | 'ask for a quote'
  | 'resume with an old quote'
  | 'preview a pause'
  | 'read'
  | 'refund'
  | 'void'
  | 'refund twice at once'
  | 'retry now'
  | 'bill what was missed'
  | 'skip what was missed'
  | 'change the price'
  | 'replace the card'
  | 'archive the plan'
  | 'change the time zone'
  | 'settle the batch'
  | 'detach'
  | 'open the link'
  | 'pay by the link'
  | 'pay on an old page'

const WEIGHTS: Record<RequestName, number> = {
  pause: 10,
  'take back the pause': 4,
  cancel: 1,
  'cancel at end': 3,
  'take back the cancel': 4,
  'resume now': 8,
  'resume unchanged': 6,
  'resume with a wrong quote': 1,
  'resume without a quote': 1,
  'ask for a quote': 5,
  'resume with an old quote': 4,
  'preview a pause': 3,
  read: 2,
  refund: 6,
  void: 4,
  'refund twice at once': 2,
  'retry now': 2,
  'bill what was missed': 0.1,
  'skip what was missed': 0.1,
  'change the price': 0.3,
  'replace the card': 2,
  'archive the plan': 0.5,
  'change the time zone': 0.3,
  'settle the batch': 4,
  detach: 0.5,
  'open the link': 0.3,
  'pay by the link': 0.3,
  'pay on an old page': 0.6,
}
const ALL = Object.entries(WEIGHTS) as [RequestName, number][]
const TOTAL = ALL.reduce((sum, [, weight]) => sum + weight, 0)

const OF_A_WAITING: RequestName[] = ['open the link', 'pay by the link', 'pay on an old page']
const OF_AN_UNPAID: RequestName[] = ['pause', 'preview a pause']
const OF_A_HELD: RequestName[] = ['bill what was missed', 'skip what was missed']
const OF_A_PAUSED: RequestName[] = ['ask for a quote', 'ask for a quote', 'resume now']

/**
 * Draws a request. Rare and important ones are drawn more often: a pause while a charge is open or after a void, a card
 * that is detached between two attempts, and a quote that is used on a later day.
 *
 * @param quoted when an unused quote was requested
 */
export function drawRequest(
  random: Random,
  { status, openSale, bill, cover, isHeld }: Model,
  quoted: 'earlier' | 'today' | null,
): RequestName {
  if (status === 'pending_payment_method' && random.chance(0.75)) return random.pick(OF_A_WAITING)
  if (openSale && random.chance(0.4)) return 'pause'
  if (status === 'active' && cover?.payment.status === 'voided' && random.chance(0.4)) return random.pick(OF_AN_UNPAID)
  if (isHeld && random.chance(0.5)) return random.pick(OF_A_HELD)
  if (bill && bill.failed > 0 && random.chance(0.05)) return 'detach'
  if (bill && !openSale && random.chance(0.3)) return 'retry now'
  if (status === 'paused' && quoted === 'earlier' && random.chance(0.8)) return 'resume with an old quote'
  if (status === 'paused' && quoted === null && random.chance(0.5)) return random.pick(OF_A_PAUSED)
  let position = random.next() * TOTAL
  for (const [name, weight] of ALL) {
    position -= weight
    if (position < 0) return name
  }
  return 'read'
}

const REFUND_CONFIRMED = { refund_confirmed: true, refund_reference: 'by hand' }

export function drawPause(random: Random): PauseBody {
  const mode = random.chance(0.35) ? 'period_end' : 'immediate'
  if (mode === 'period_end') return random.chance(0.1) ? { mode, unused_time_behavior: 'preserve_time' } : { mode }
  if (random.chance(0.15)) return { mode }
  if (random.chance(0.5)) return { mode, unused_time_behavior: 'preserve_time' }
  const refunded = { mode, unused_time_behavior: 'external_refund' } as const
  return random.chance(0.1) ? refunded : { ...refunded, ...REFUND_CONFIRMED }
}

export interface Terms {
  unitAmount: number
  /** Tax rate in percent; absent for none. */
  taxRate?: number
  surchargeRate?: number
  installments: number | null
}

// 4.98 and 7.1 percent of 25.00 end on half a cent; the nearest double is below that.
const TAXES = [5, 13, 14.975, 0.0001, 30, 4.98, 7.1]
const SURCHARGES = [2.4, 1.5, 0.01]

export function drawTerms(random: Random): Terms {
  const unitAmount = random.pick([1, 99, 2_500, 2_500, 2_999, 12_345, 1_000_001])
  return {
    unitAmount,
    ...(random.chance(0.6) && { taxRate: random.pick(TAXES) }),
    ...(random.chance(0.4) && { surchargeRate: random.pick(SURCHARGES) }),
    installments: random.chance(0.3) ? random.whole(1, 14) : null,
  }
}

/** Returns the total of a bill, rounded from decimal text: no engine code, no fractions. */
export function totalOf({ unitAmount, taxRate = 0, surchargeRate = 0 }: Terms): number {
  const share = (amount: bigint, percent: number) => {
    const [whole = '0', fraction = ''] = percent.toFixed(4).split('.')
    const rate = BigInt(whole) * 10_000n + BigInt(fraction)
    return (amount * rate * 2n + 1_000_000n) / 2_000_000n
  }
  const base = BigInt(unitAmount)
  const taxed = base + share(base, taxRate)
  return Number(taxed + share(taxed, surchargeRate))
}
