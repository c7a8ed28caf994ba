import { directSimulatorGateway } from '../../../server/gateway/adapters/simulator/direct-simulator-gateway.ts'
import type { Gateway } from '../../../server/gateway/gateway.ts'
import type { BehaviourName } from '../../../server/gateway/simulator/behaviours.ts'
import { openSimulator, type Simulator } from '../../../server/gateway/simulator/simulator.ts'
import type { Clock } from '../../../server/lib/clock.ts'
import { type Random, randomFrom } from './random.ts'

/**
 * What the gateway does with one sale, and what the caller learns of it. Of an unknown outcome, `found` is what an inquiry
 * finds; nothing when it is absent.
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

/** What recovery finds of a sale; `null` for nothing. */
export function foundOf(outcome: OutcomeName | null): OutcomeName | null {
  if (outcome === null) return null
  const of = OUTCOMES[outcome]
  if (of.learned !== 'unknown') return outcome
  return 'found' in of ? of.found : null
}

/**
 * What the gateway does with one refund or void, and what the caller learns of it. Of an unknown outcome, `found` is what
 * recovery makes of it: what never arrived is sent again.
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

/** What the gateway does with one settlement, and what the caller learns of it. */
export const SETTLEMENTS = {
  made: { behaviour: 'approved', learned: 'made' },
  declined: { behaviour: 'declined', learned: 'failed' },
  lost_response: { behaviour: 'reset_recorded', learned: 'unknown' },
  error_recorded: { behaviour: 'http_503_recorded', learned: 'unknown' },
  lost_request: { behaviour: 'reset_not_recorded', learned: 'unknown' },
} as const satisfies Record<string, { behaviour: BehaviourName; learned: 'made' | 'failed' | 'unknown' }>
export type SettlementName = keyof typeof SETTLEMENTS

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

/** The outcomes of a card's sales, in order: the oracle reads the same ones. */
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

export interface SentSale {
  card: number
  /** Position among the sales of the card. */
  index: number
  outcome: OutcomeName
  amount: number
  merchantRef: string
  atMs: number
}

export interface SimGateway {
  gateway: Gateway
  simulator: Simulator
  /** Every sale that reached the gateway or was lost on the way, in order. */
  sales: SentSale[]
  /** Registers a card. The outcomes of its sales are drawn from the seed unless they are given. */
  addCard(number: string, card: number, outcomes?: readonly OutcomeName[]): void
  salesOf(card: number): readonly SentSale[]
  /** Runs a request whose refund or void, if it sends one, has this outcome. Recovery's own are always made. */
  withReversal<Result>(name: ReversalName, request: () => Promise<Result>): Promise<Result>
  /** Runs what settles batches. Each settlement that it sends has this outcome. */
  withSettlement<Result>(name: SettlementName, request: () => Promise<Result>): Promise<Result>
  /** Of a sale. */
  isBatchOpen(merchantRef: string): boolean
  isVoided(merchantRef: string): boolean
}

/** The simulator in this process. What becomes of the sales of a card follows the list of that card. */
export async function openSimGateway(seed: number, clock: Clock): Promise<SimGateway> {
  const simulator = await openSimulator({ seed: `S${seed}`, clock })
  const refused = simulator.applyScript({ unknownStoredCards: 'warn' })
  if (refused) throw new Error(refused)
  const gateway = directSimulatorGateway(simulator)
  const cards = new Map<string, { card: number; outcomeOf(sale: number): OutcomeName; sent: SentSale[] }>()
  const sentOf = new Map<number, SentSale[]>()
  const sales: SentSale[] = []
  let reversal: ReversalName | null = null
  let settlement: SettlementName = 'made'
  const saleOf = (merchantRef: string) =>
    simulator.ledger.rows.find((row) => row.op === 'sale' && row.recorded && row.merchantRef === merchantRef)
  function arrange(op: 'refund' | 'void', merchantRef: string): void {
    if (reversal === null) return
    simulator.applyScript({ outcomes: [{ op, merchantRef, outcome: REVERSALS[reversal].behaviour }] })
    reversal = null
  }
  const { settle: closeBatch } = gateway
  const settleBatch: Gateway['settle'] = (request) => {
    const { behaviour } = SETTLEMENTS[settlement]
    simulator.applyScript({ outcomes: [{ op: 'settle', terminal: request.terminal.id, outcome: behaviour }] })
    return closeBatch(request)
  }
  return {
    simulator,
    sales,
    addCard(number, card, outcomes) {
      const outcomeOf = outcomes ? (sale: number) => outcomes[sale] ?? 'approved' : outcomesOfCard(seed, card)
      const sent: SentSale[] = []
      cards.set(number, { card, outcomeOf, sent })
      sentOf.set(card, sent)
    },
    salesOf: (card) => sentOf.get(card) ?? [],
    async withReversal(name, request) {
      reversal = name
      try {
        return await request()
      } finally {
        reversal = null
      }
    },
    async withSettlement(name, request) {
      settlement = name
      try {
        return await request()
      } finally {
        settlement = 'made'
      }
    },
    isBatchOpen(merchantRef) {
      const sale = saleOf(merchantRef)
      return sale !== undefined && simulator.ledger.isBatchOpen(sale)
    },
    isVoided(merchantRef) {
      const sale = saleOf(merchantRef)
      return sale !== undefined && simulator.ledger.isVoided(sale)
    },
    gateway: {
      ...gateway,
      settle: settleBatch,
      async refund(request) {
        arrange('refund', request.merchantRef)
        return gateway.refund(request)
      },
      async void(request) {
        arrange('void', request.merchantRef)
        return gateway.void(request)
      },
      async sale(request) {
        const of = cards.get(request.source.number)
        if (!of || request.mayStillSend?.() === false) return gateway.sale(request)
        const outcome = of.outcomeOf(of.sent.length)
        const { merchantRef, amount } = request
        const sale = { card: of.card, index: of.sent.length, outcome, amount, merchantRef, atMs: clock.now().getTime() }
        of.sent.push(sale)
        sales.push(sale)
        const { behaviour } = OUTCOMES[outcome]
        simulator.applyScript({ outcomes: [{ op: 'sale', merchantRef, outcome: behaviour }] })
        return gateway.sale(request)
      },
    },
  }
}
