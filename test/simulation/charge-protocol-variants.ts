import { ON_RECOVERED_APPROVAL } from '../../server/payments/operation.ts'
import type { Landmark, Violation } from './charge-protocol/invariants.ts'
import type { Protocol } from './charge-protocol/protocol.ts'
import { FULL_PROTOCOL } from './charge-protocol/protocol.ts'

/**
 * A protocol with its number of states and its violations. The number is exact, so that a change of the model's
 * behaviour is noticed.
 */
type Variant = { name: string; protocol: Protocol; states: number }

/** All rules are in force. `never` names the landmarks that are unreachable with this policy. */
type FullVariant = Variant & { never: Landmark[] }

/** A rule is switched off. `fails` is empty where another rule suffices. */
export type Ablation = Variant & { fails: Violation[] }

/** Partial approvals and late results multiply the states, and are left out where they make no difference. */
const FEWER = { partials: false, lateResults: false }
const WHOLE = { partials: true, lateResults: true }

const REVERSE: Protocol = { ...FULL_PROTOCOL, ...FEWER, policy: ON_RECOVERED_APPROVAL.session }
const ADOPT: Protocol = { ...FULL_PROTOCOL, ...FEWER, policy: ON_RECOVERED_APPROVAL.bill }
const REVERSE_WAITING: Protocol = { ...REVERSE, notFound: 'final-after-wait' }
const ADOPT_WAITING: Protocol = { ...ADOPT, notFound: 'final-after-wait' }

/** The charge owners that a variant covers, from the same table that the service uses. */
const ownersThat = (policy: Protocol['policy']) =>
  Object.entries(ON_RECOVERED_APPROVAL)
    .filter(([, rule]) => rule === policy)
    .map(([kind]) => kind)
    .join(', ')

const REVERSING = `owner ${ownersThat('reverse')}: an approval that recovery finds is reversed`
const ADOPTING = `owner ${ownersThat('adopt')}: an approval that recovery finds is adopted`

// When reversing, recovery never adopts an approval.
export const FULL_VARIANTS: FullVariant[] = [
  { name: REVERSING, protocol: REVERSE, states: 204_005, never: ['paid by recovery'] },
  { name: ADOPTING, protocol: ADOPT, states: 136_549, never: [] },
  {
    name: `${REVERSING}, at a gateway that cannot block a reference`,
    protocol: { ...REVERSE_WAITING, ...WHOLE },
    states: 809_303,
    never: ['paid by recovery'],
  },
  {
    name: `${ADOPTING}, at a gateway that cannot block a reference`,
    protocol: { ...ADOPT_WAITING, ...WHOLE },
    states: 557_505,
    never: [],
  },
]

export const ABLATIONS: Ablation[] = [
  {
    name: 'without PAY-1 and PAY-4, no operation is committed before the call',
    protocol: { ...REVERSE, intentFirst: false },
    states: 2_134,
    fails: ['LOST', 'DOUBLE', 'TWICE'],
  },
  {
    name: 'without PAY-2, several operations are open for one key',
    protocol: { ...REVERSE, oneOpenOperation: false },
    states: 1_199_917,
    fails: ['DOUBLE', 'TWICE'],
  },
  {
    name: 'without PAY-3, when the index of PAY-2 leaves out success, a paid key is charged again',
    protocol: { ...REVERSE, paidReadInTransaction: false, successOccupiesKey: false },
    states: 212_859,
    fails: ['DOUBLE', 'TWICE'],
  },
  {
    name: 'without PAY-3, the index of PAY-2 alone refuses a paid key',
    protocol: { ...REVERSE, paidReadInTransaction: false },
    states: 207_093,
    fails: [],
  },
  {
    name: 'without PAY-5, a paused sender sends after the wait',
    protocol: { ...ADOPT_WAITING, senderChecksDeadline: false },
    states: 381_653,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-5 but with the late check of PAY-12, a double charge is short-lived and none is lost',
    protocol: { ...ADOPT_WAITING, senderChecksDeadline: false, reconcile: true },
    states: 507_547,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-7, reversing, used-up tries count as failed',
    protocol: { ...REVERSE, exhausted: 'failed' },
    states: 258_087,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-7, adopting, used-up tries count as failed',
    protocol: { ...ADOPT, exhausted: 'failed' },
    states: 167_985,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-8, reversing, an operation in doubt frees the key',
    protocol: { ...REVERSE, inDoubtOccupiesKey: false },
    states: 951_773,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-8, adopting, an operation in doubt frees the key',
    protocol: { ...ADOPT, inDoubtOccupiesKey: false },
    states: 662_865,
    fails: ['DOUBLE', 'TWICE'],
  },
  {
    name: 'when a void does not block an unknown reference and nobody waits',
    protocol: { ...REVERSE, notFound: 'at-once' },
    states: 309_417,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'when "not found" is final at once',
    protocol: { ...ADOPT, notFound: 'at-once' },
    states: 208_413,
    fails: ['LOST', 'DOUBLE'],
  },
  { name: 'without a recovery worker', protocol: { ...REVERSE, workers: 0 }, states: 371, fails: ['STUCK'] },
]

const TWO_WORKERS = { partials: true, workers: 2 } as const

/**
 * PAY-6 is two rules, and REC-1 beside them. The state is what holds: without it a result is recorded twice. The epoch
 * of a sale would be needed only if an approval was voided before its reversal is recorded.
 */
export const FENCES: Ablation[] = [
  {
    name: 'reversing, by state alone, with two workers of recovery',
    protocol: { ...REVERSE_WAITING, ...TWO_WORKERS, fencedByEpoch: false },
    states: 375_881,
    fails: [],
  },
  {
    name: 'adopting, by state alone, with two workers of recovery',
    protocol: { ...ADOPT_WAITING, ...TWO_WORKERS, fencedByEpoch: false },
    states: 242_837,
    fails: [],
  },
  {
    name: 'reversing, by state alone, at a gateway that can block a reference',
    protocol: { ...REVERSE, ...WHOLE, fencedByEpoch: false },
    states: 259_945,
    fails: [],
  },
  {
    name: 'adopting, by state alone, at a gateway that can block a reference',
    protocol: { ...ADOPT, ...WHOLE, fencedByEpoch: false },
    states: 205_509,
    fails: [],
  },
  {
    name: 'reversing, by epoch alone: a write that is repeated records the payment again',
    protocol: { ...REVERSE, fencedByState: false },
    states: 205_159,
    fails: ['TWICE'],
  },
  {
    name: 'adopting, by epoch alone: a write that is repeated records the payment again',
    protocol: { ...ADOPT, fencedByState: false },
    states: 137_517,
    fails: ['TWICE'],
  },
  {
    name: 'reversing, by neither: a result overwrites a reversal',
    protocol: { ...REVERSE, fencedByState: false, fencedByEpoch: false },
    states: 131_953,
    fails: ['PHANTOM', 'TWICE'],
  },
  {
    name: 'adopting, by neither: what recovery has adopted is recorded again',
    protocol: { ...ADOPT, fencedByState: false, fencedByEpoch: false },
    states: 75_529,
    fails: ['TWICE'],
  },
  {
    name: 'by state alone, if a void is sent before the reversal is recorded',
    protocol: { ...REVERSE, recordsReversalFirst: false, fencedByEpoch: false },
    states: 89_095,
    fails: ['PHANTOM'],
  },
  {
    name: 'by both, if a void is sent before the reversal is recorded',
    protocol: { ...REVERSE, recordsReversalFirst: false },
    states: 170_933,
    fails: [],
  },
]
