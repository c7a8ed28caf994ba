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
type Ablation = Variant & { fails: Violation[] }

const REVERSE: Protocol = { ...FULL_PROTOCOL, policy: ON_RECOVERED_APPROVAL.session }
const ADOPT: Protocol = { ...FULL_PROTOCOL, policy: ON_RECOVERED_APPROVAL.bill }
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

// When reversing, recovery never adopts an approval. When adopting without tombstones, nothing is voided.
export const FULL_VARIANTS: FullVariant[] = [
  { name: REVERSING, protocol: REVERSE, states: 112_877, never: ['paid by recovery'] },
  { name: ADOPTING, protocol: ADOPT, states: 88_945, never: [] },
  {
    name: `${REVERSING}, at a gateway that cannot block a reference`,
    protocol: REVERSE_WAITING,
    states: 181_949,
    never: ['paid by recovery'],
  },
  {
    name: `${ADOPTING}, at a gateway that cannot block a reference`,
    protocol: ADOPT_WAITING,
    states: 99_877,
    never: ['voided'],
  },
]

export const ABLATIONS: Ablation[] = [
  {
    name: 'without PAY-1 and PAY-4, no operation is committed before the call',
    protocol: { ...REVERSE, intentFirst: false },
    states: 1_642,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-2, several operations are open for one key',
    protocol: { ...REVERSE, oneOpenOperation: false },
    states: 677_343,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-3, when the index of PAY-2 leaves out success, a paid key is charged again',
    protocol: { ...REVERSE, paidReadInTransaction: false, successOccupiesKey: false },
    states: 116_753,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-3, the index of PAY-2 alone refuses a paid key',
    protocol: { ...REVERSE, paidReadInTransaction: false },
    states: 115_093,
    fails: [],
  },
  {
    name: 'without PAY-5, a paused sender sends after the wait',
    protocol: { ...ADOPT_WAITING, senderChecksDeadline: false },
    states: 376_261,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-5 but with the late check of PAY-12, a double charge is short-lived and none is lost',
    protocol: { ...ADOPT_WAITING, senderChecksDeadline: false, reconcile: true },
    states: 501_375,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-6, a late result overwrites a reversal',
    protocol: { ...REVERSE, fencedResult: false },
    states: 54_345,
    fails: ['PHANTOM'],
  },
  {
    name: 'without PAY-6 but adopting, every writer comes to the same result',
    protocol: { ...ADOPT, fencedResult: false },
    states: 40_391,
    fails: [],
  },
  {
    name: 'without PAY-7, reversing, used-up tries count as failed',
    protocol: { ...REVERSE, exhausted: 'failed' },
    states: 160_381,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-7, adopting, used-up tries count as failed',
    protocol: { ...ADOPT, exhausted: 'failed' },
    states: 124_765,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'without PAY-8, reversing, an operation in doubt frees the key',
    protocol: { ...REVERSE, inDoubtOccupiesKey: false },
    states: 539_551,
    fails: ['DOUBLE'],
  },
  {
    name: 'without PAY-8, adopting, an operation in doubt frees the key',
    protocol: { ...ADOPT, inDoubtOccupiesKey: false },
    states: 515_609,
    fails: ['DOUBLE'],
  },
  {
    name: 'when a void does not block an unknown reference and nobody waits',
    protocol: { ...REVERSE, notFound: 'at-once' },
    states: 260_909,
    fails: ['LOST', 'DOUBLE'],
  },
  {
    name: 'when "not found" is final at once',
    protocol: { ...ADOPT, notFound: 'at-once' },
    states: 204_073,
    fails: ['LOST', 'DOUBLE'],
  },
  { name: 'without a recovery worker', protocol: { ...REVERSE, recovery: false }, states: 205, fails: ['STUCK'] },
]
