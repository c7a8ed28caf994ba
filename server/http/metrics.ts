import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnsweredRequest } from './server.ts'

export interface Metrics {
  answered(request: AnsweredRequest): void
  /** `approved`, `declined`, `in_doubt`, `not_sent`, `reversed`, `late_approval`. */
  countPayment(outcome: string): void
  /** What the defence against card testing did: `address`, `card` and `burst` refuse one try, `alarm` is a business under attack. */
  countCardTesting(what: string): void
  /** Text for Prometheus. `open` and `attention` are read when it is asked for. */
  text(): Promise<string>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** @param countOpen how many outcomes are unknown just now, and how many a person must look at */
export function createMetrics(countOpen: () => Promise<{ open: number; attention: number }>): Metrics {
  const registers = [new Registry()]
  const [registry = new Registry()] = registers
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'rialto_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'path', 'status'],
    buckets: SECONDS,
    registers,
  })
  const payments = new Counter({
    name: 'rialto_payment_outcomes_total',
    help: 'What became of charges. late_approval must stay 0: each one means that a rule of the money path did not hold.',
    labelNames: ['outcome'],
    registers,
  })
  const cardTesting = new Counter({
    name: 'rialto_card_testing_total',
    help: 'Tries refused because somebody seems to test cards, by reason; alarm counts the businesses found under attack.',
    labelNames: ['what'],
    registers,
  })
  const open = new Gauge({
    name: 'rialto_open_operations',
    help: 'Movements of money whose outcome is not known.',
    registers,
  })
  const attention = new Gauge({
    name: 'rialto_operations_needing_attention',
    help: 'Open for more than a day: a person must look.',
    registers,
  })
  return {
    answered: ({ method, path, status, seconds }) => requests.observe({ method, path, status }, seconds),
    countCardTesting: (what) => cardTesting.inc({ what }),
    countPayment: (outcome) => payments.inc({ outcome }),
    async text() {
      const counts = await countOpen()
      open.set(counts.open)
      attention.set(counts.attention)
      return registry.metrics()
    },
  }
}
