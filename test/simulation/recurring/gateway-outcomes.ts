import type { BehaviourName } from '../../../server/gateway/simulator/behaviours.ts'
import { type Random, randomFrom } from './random.ts'

/**
 * The gateway's handling of a sale, and the caller's result. For an unknown outcome, `found` is the result of an
 * inquiry; absent if nothing is found.
 */
export const OUTCOMES = {
  approved: { behaviour: 'approved', learned: 'approved' },
  declined: { behaviour: 'declined', learned: 'declined' },
  referral: { behaviour: 'referral', learned: 'declined' },
  record_not_found: { behaviour: 'record_not_found', learned: 'declined' },
  stolen: { behaviour: 'stolen_card', learned: 'never' },
  stop_recurring: { behaviour: 'stop_recurring', learned: 'never' },
  partial: { behaviour: 'partial_ap', learned: 'declined' },
  lost_response: { behaviour: 'reset_recorded', learned: 'unknown', found: 'approved' },
  error_recorded: { behaviour: 'http_503_recorded', learned: 'unknown', found: 'approved' },
  garbled: { behaviour: 'garbled_recorded', learned: 'unknown', found: 'approved' },
  lost_decline: { behaviour: 'declined_reset', learned: 'unknown', found: 'declined' },
  lost_stop: { behaviour: 'stop_recurring_reset', learned: 'unknown', found: 'stop_recurring' },
  lost_partial: { behaviour: 'partial_reset', learned: 'unknown', found: 'partial' },
  lost_request: { behaviour: 'reset_not_recorded', learned: 'unknown' },
  error_not_recorded: { behaviour: 'http_500_not_recorded', learned: 'unknown' },
} as const satisfies Record<
  string,
  { behaviour: BehaviourName; learned: 'approved' | 'declined' | 'never' | 'unknown'; found?: string }
>
export type OutcomeName = keyof typeof OUTCOMES

/** Returns what recovery finds for a sale; `null` for nothing. */
export function foundOf(outcome: OutcomeName | null): OutcomeName | null {
  if (outcome === null) return null
  const of = OUTCOMES[outcome]
  if (of.learned !== 'unknown') return outcome
  return 'found' in of ? of.found : null
}

/**
 * The gateway's handling of a refund or void, and the caller's result. For an unknown outcome, `found` is the result of
 * recovery: a request that never arrived is sent again.
 */
export const REVERSALS = {
  made: { behaviour: 'approved', learned: 'made' },
  declined: { behaviour: 'declined', learned: 'failed' },
  lost_response: { behaviour: 'reset_recorded', learned: 'unknown', found: 'made' },
  error_recorded: { behaviour: 'http_503_recorded', learned: 'unknown', found: 'made' },
  lost_decline: { behaviour: 'declined_reset', learned: 'unknown', found: 'failed' },
  lost_request: { behaviour: 'reset_not_recorded', learned: 'unknown', found: 'made' },
} as const satisfies Record<
  string,
  { behaviour: BehaviourName; learned: 'made' | 'failed' | 'unknown'; found?: 'made' | 'failed' }
>
export type ReversalName = keyof typeof REVERSALS

/** The gateway's handling of a settlement, and the caller's result. */
export const SETTLEMENTS = {
  made: { behaviour: 'approved', learned: 'made' },
  declined: { behaviour: 'declined', learned: 'failed' },
  lost_response: { behaviour: 'reset_recorded', learned: 'unknown' },
  error_recorded: { behaviour: 'http_503_recorded', learned: 'unknown' },
  lost_request: { behaviour: 'reset_not_recorded', learned: 'unknown' },
} as const satisfies Record<string, { behaviour: BehaviourName; learned: 'made' | 'failed' | 'unknown' }>
export type SettlementName = keyof typeof SETTLEMENTS

/** The gateway's handling of a card's verification, and the caller's result. */
export const VERIFICATIONS = {
  verified: { behaviour: 'approved', learned: 'verified' },
  declined: { behaviour: 'declined', learned: 'declined' },
  stolen: { behaviour: 'stolen_card', learned: 'declined' },
  lost_response: { behaviour: 'reset_recorded', learned: 'unknown' },
  error: { behaviour: 'http_500_not_recorded', learned: 'unknown' },
  lost_request: { behaviour: 'reset_not_recorded', learned: 'unknown' },
} as const satisfies Record<string, { behaviour: BehaviourName; learned: 'verified' | 'declined' | 'unknown' }>
export type VerificationName = keyof typeof VERIFICATIONS

const VERIFICATION_FAULTS: VerificationName[] = ['declined', 'stolen', 'lost_response', 'error', 'lost_request']

export const drawVerification = (random: Random): VerificationName =>
  random.chance(0.2) ? random.pick(VERIFICATION_FAULTS) : 'verified'

const SETTLEMENT_FAULTS: SettlementName[] = ['declined', 'lost_response', 'error_recorded', 'lost_request']

export const drawSettlement = (random: Random): SettlementName =>
  random.chance(0.35) ? random.pick(SETTLEMENT_FAULTS) : 'made'

const REVERSAL_FAULTS: ReversalName[] = ['declined', 'lost_response', 'error_recorded', 'lost_decline', 'lost_request']

export const drawReversal = (random: Random): ReversalName =>
  random.chance(0.35) ? random.pick(REVERSAL_FAULTS) : 'made'

const FAULTS: [OutcomeName, number][] = [
  ['stolen', 0.01],
  ['stop_recurring', 0.005],
  ['partial', 0.02],
  ['referral', 0.02],
  ['record_not_found', 0.01],
  ['lost_response', 0.02],
  ['error_recorded', 0.01],
  ['garbled', 0.01],
  ['lost_decline', 0.01],
  ['lost_stop', 0.004],
  ['lost_partial', 0.006],
  ['lost_request', 0.02],
  ['error_not_recorded', 0.01],
]
const STREAK = 0.08
const STREAK_MAX = 5

/** Returns the outcomes of a card's sales, in order: the oracle reads the same ones. */
export function outcomesOfCard(seed: number, card: number): (sale: number) => OutcomeName {
  const random = randomFrom(seed * 7_919 + card * 104_729 + 17)
  const drawn: OutcomeName[] = []
  function draw(): void {
    if (random.chance(STREAK)) {
      for (let left = random.whole(1, STREAK_MAX); left > 0; left--) drawn.push('declined')
      return
    }
    let position = random.next()
    for (const [name, share] of FAULTS) {
      position -= share
      if (position < 0) return void drawn.push(name)
    }
    drawn.push('approved')
  }
  return (sale) => {
    while (drawn.length <= sale) draw()
    return drawn[sale] ?? 'approved'
  }
}
