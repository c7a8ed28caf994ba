import { ON_RECOVERED_APPROVAL } from '../../server/payments/operation.ts'
import type { Landmark, Violation } from './charge-protocol/invariants.ts'
import type { Protocol } from './charge-protocol/protocol.ts'
import { FULL_PROTOCOL } from './charge-protocol/protocol.ts'

/**
 * `npm test` visits the states of all histories of this many steps. The longest that it takes to find a violation of an
 * ablation is 12.
 */
export const QUICK_STEPS = 13

/**
 * A protocol with its number of states. The number is exact, so that a change of the model's behaviour is noticed. A
 * state and its mirror, with the names of the tabs exchanged, count as one.
 */
type Variant = { name: string; protocol: Protocol; states: number }

/** A variant with all rules in force. `never` names the landmarks that are unreachable with this policy. */
type FullVariant = Variant & { quickStates: number; never: Landmark[] }

/** A variant in which a rule is switched off. `fails` is empty if another rule suffices. */
export type Ablation = Variant & { fails: Violation[] }

/**
 * Options without partial approvals and late results, which multiply the states, for variants in which they make no
 * difference.
 */
const FEWER = { partials: false, lateResults: false }
const WHOLE = { partials: true, lateResults: true }

const REVERSE: Protocol = { ...FULL_PROTOCOL, ...FEWER, policy: ON_RECOVERED_APPROVAL.session }
const ADOPT: Protocol = { ...FULL_PROTOCOL, ...FEWER, policy: ON_RECOVERED_APPROVAL.bill }
const REVERSE_WAITING: Protocol = { ...REVERSE, notFound: 'final-after-wait' }
const ADOPT_WAITING: Protocol = { ...ADOPT, notFound: 'final-after-wait' }

/** Returns the charge owners that a variant covers, from the same table that the service uses. */
const ownersThat = (policy: Protocol['policy']) =>
  Object.entries(ON_RECOVERED_APPROVAL)
    .filter(([, rule]) => rule === policy)
    .map(([kind]) => kind)
    .join(', ')

const REVERSING = `owner ${ownersThat('reverse')}: an approval that recovery finds is reversed`
const ADOPTING = `owner ${ownersThat('adopt')}: an approval that recovery finds is adopted`

// When reversing, recovery never adopts an approval.
export const FULL_VARIANTS: FullVariant[] = [
  { name: REVERSING, protocol: REVERSE, states: 102_003, quickStates: 17_649, never: ['paid by recovery'] },
  { name: ADOPTING, protocol: ADOPT, states: 68_275, quickStates: 16_455, never: [] },
  {
    name: `${REVERSING}, at a gateway that cannot block a reference`,
    protocol: { ...REVERSE_WAITING, ...WHOLE },
    states: 404_652,
    quickStates: 16_226,
    never: ['paid by recovery'],
  },
  {
    name: `${ADOPTING}, at a gateway that cannot block a reference`,
    protocol: { ...ADOPT_WAITING, ...WHOLE },
    states: 278_753,
    quickStates: 14_971,
    never: [],
  },
]

export const ABLATIONS: Ablation[] = [
  {
    name: 'without PAY-1 and PAY-4, no operation is committed before the call',
    protocol: { ...REVERSE, intentFirst: false },
    states: 1_073,
    fails: ['LOST', 'DOUBLE', 'TWICE'],
  },
  {
    name: 'without PAY-2, several operations are open for one key',
    protocol: { ...REVERSE, oneOpenOperation: false },
    states: 599_959,
    fails: ['DOUBLE', 'TWICE'],
  },
  {
    name: 'without PAY-3, when the index of PAY-2 leaves out success, a paid key is charged again',
    protocol: { ...REVERSE, paidReadInTransaction: false, successOccupiesKey: false },
    states: 106_431,
    fails: ['DOUBLE', 'TWICE'],
  },
  {
    name: 'without PAY-3, the index of PAY-2 alone refuses a paid key',
    protocol: { ...REVERSE, paidReadInTransaction: false },
    states: 103_548,
    fails: [],
  },
  {
    name: 'without PAY-5, a paused sender sends after the wait',
    protocol: { ...ADOPT_WAITING, senderChecksDeadline: false },
    states: 190_827,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-5 but with the late check of PAY-12, a double charge is short-lived and none is lost',
    protocol: { ...ADOPT_WAITING, senderChecksDeadline: false, reconcile: true },
    states: 253_774,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-7, reversing, used-up tries count as failed',
    protocol: { ...REVERSE, exhausted: 'failed' },
    states: 129_044,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-7, adopting, used-up tries count as failed',
    protocol: { ...ADOPT, exhausted: 'failed' },
    states: 83_993,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-8, reversing, an operation in doubt frees the key',
    protocol: { ...REVERSE, inDoubtOccupiesKey: false },
    states: 475_887,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-8, adopting, an operation in doubt frees the key',
    protocol: { ...ADOPT, inDoubtOccupiesKey: false },
    states: 331_433,
    fails: ['DOUBLE', 'TWICE'],
  },
  {
    name: 'when a void does not block an unknown reference and nobody waits',
    protocol: { ...REVERSE, notFound: 'at-once' },
    states: 154_709,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'when "not found" is final at once',
    protocol: { ...ADOPT, notFound: 'at-once' },
    states: 104_207,
    fails: ['LOST', 'DOUBLE'],
  },
  { name: 'without a recovery worker', protocol: { ...REVERSE, workers: 0 }, states: 186, fails: ['STUCK'] },
]

const TWO_WORKERS = { partials: true, workers: 2 } as const

/**
 * Variants without fences: PAY-6 is two rules, and REC-1 is related. The fence by state is essential: without it a
 * result is recorded twice. The epoch of a sale would be needed only if an approval was voided before its reversal is
 * recorded.
 */
export const FENCES: Ablation[] = [
  {
    name: 'reversing, by state alone, with two workers of recovery',
    protocol: { ...REVERSE_WAITING, ...TWO_WORKERS, fencedByEpoch: false },
    states: 187_941,
    fails: [],
  },
  {
    name: 'adopting, by state alone, with two workers of recovery',
    protocol: { ...ADOPT_WAITING, ...TWO_WORKERS, fencedByEpoch: false },
    states: 121_419,
    fails: [],
  },
  {
    name: 'reversing, by state alone, at a gateway that can block a reference',
    protocol: { ...REVERSE, ...WHOLE, fencedByEpoch: false },
    states: 129_973,
    fails: [],
  },
  {
    name: 'adopting, by state alone, at a gateway that can block a reference',
    protocol: { ...ADOPT, ...WHOLE, fencedByEpoch: false },
    states: 102_755,
    fails: [],
  },
  {
    name: 'reversing, by epoch alone: a write that is repeated records the payment again',
    protocol: { ...REVERSE, fencedByState: false },
    states: 102_580,
    fails: ['TWICE'],
  },
  {
    name: 'adopting, by epoch alone: a write that is repeated records the payment again',
    protocol: { ...ADOPT, fencedByState: false },
    states: 68_759,
    fails: ['TWICE'],
  },
  {
    name: 'reversing, by neither: a result overwrites a reversal',
    protocol: { ...REVERSE, fencedByState: false, fencedByEpoch: false },
    states: 65_977,
    fails: ['PHANTOM', 'TWICE'],
  },
  {
    name: 'adopting, by neither: what recovery has adopted is recorded again',
    protocol: { ...ADOPT, fencedByState: false, fencedByEpoch: false },
    states: 37_765,
    fails: ['TWICE'],
  },
  {
    name: 'by state alone, if a void is sent before the reversal is recorded',
    protocol: { ...REVERSE, recordsReversalFirst: false, fencedByEpoch: false },
    states: 44_548,
    fails: ['PHANTOM'],
  },
  {
    name: 'by both, if a void is sent before the reversal is recorded',
    protocol: { ...REVERSE, recordsReversalFirst: false },
    states: 85_467,
    fails: [],
  },
]
