import { directSimulatorGateway } from '../../../server/gateway/adapters/simulator/direct-simulator-gateway.ts'
import type { Gateway } from '../../../server/gateway/gateway.ts'
import { openSimulator, type Simulator } from '../../../server/gateway/simulator/simulator.ts'
import type { Clock } from '../../../server/lib/clock.ts'
import {
  OUTCOMES,
  type OutcomeName,
  outcomesOfCard,
  REVERSALS,
  type ReversalName,
  SETTLEMENTS,
  type SettlementName,
  VERIFICATIONS,
  type VerificationName,
} from './gateway-outcomes.ts'

export interface SentSale {
  card: number
  /** Position among the sales of the card. */
  index: number
  outcome: OutcomeName
  amount: number
  merchantRef: string
  atMs: number
}

export interface HeldSale {
  /** Resolves when the sale is made. */
  made: Promise<true>
  /** Releases the response; if no sale was made, none is held any more. */
  release(): void
}

export interface SimGateway {
  gateway: Gateway
  simulator: Simulator
  /** Every sale that reached the gateway or was lost on the way, in order. */
  sales: SentSale[]
  /** Registers a card. The outcomes of its sales are drawn from the seed unless they are given. */
  addCard(number: string, card: number, outcomes?: readonly OutcomeName[]): void
  salesOf(card: number): readonly SentSale[]
  /** Runs a request with this outcome for the refund or void that it sends, if any. Recovery's own are always made. */
  withReversal<Result>(name: ReversalName, request: () => Promise<Result>): Promise<Result>
  /** Runs a request with this outcome for each settlement that it sends. */
  withSettlement<Result>(name: SettlementName, request: () => Promise<Result>): Promise<Result>
  /** Runs a request with this outcome for the verification of a card that it sends, if any. */
  withVerification<Result>(name: VerificationName, request: () => Promise<Result>): Promise<Result>
  /**
   * Makes the next sale, but holds its response until it is released.
   *
   * @param isBlind whether inquiries find nothing until then
   */
  holdSale(options: { isBlind: boolean }): HeldSale
  /** Returns whether the batch of a sale is open. */
  isBatchOpen(merchantRef: string): boolean
  isVoided(merchantRef: string): boolean
}

/** Opens the simulator in this process. The sales of a card follow the card's list of outcomes. */
export async function openSimGateway(seed: number, clock: Clock): Promise<SimGateway> {
  const simulator = await openSimulator({ seed: `S${seed}`, clock })
  const refused = simulator.applyScript({ unknownStoredCards: 'warn' })
  if (refused) throw new Error(refused)
  const gateway = directSimulatorGateway(simulator)
  const cards = new Map<string, { card: number; outcomeOf(sale: number): OutcomeName; sent: SentSale[] }>()
  const sentOf = new Map<number, SentSale[]>()
  const sales: SentSale[] = []
  let hold: { made(): void; released: Promise<void> } | null = null
  let isBlindNow = false
  let reversal: ReversalName | null = null
  let settlement: SettlementName = 'made'
  let verification: VerificationName = 'verified'
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
    async withVerification(name, request) {
      verification = name
      try {
        return await request()
      } finally {
        verification = 'verified'
      }
    },
    holdSale({ isBlind }) {
      const [made, released] = [Promise.withResolvers<true>(), Promise.withResolvers<void>()]
      hold = { made: () => made.resolve(true), released: released.promise }
      isBlindNow = isBlind
      const release = () => {
        hold = null
        isBlindNow = false
        released.resolve()
      }
      return { made: made.promise, release }
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
      async inquire(request) {
        return isBlindNow ? { found: 'indeterminate', message: 'Inquiries fail' } : gateway.inquire(request)
      },
      async verify(request) {
        const { merchantRef } = request
        const { behaviour } = VERIFICATIONS[verification]
        simulator.applyScript({ outcomes: [{ op: 'verify', merchantRef, outcome: behaviour }] })
        return gateway.verify(request)
      },
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
        const holding = hold
        hold = null
        const result = gateway.sale(request)
        if (!holding) return result
        await Promise.allSettled([result])
        holding.made()
        await holding.released
        return result
      },
    },
  }
}
