import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ReportedRequest } from './server.ts'

export interface Metrics {
  answered(request: ReportedRequest): void
  /** `approved`, `declined`, `in_doubt`, `not_sent`, `reversed`, `late_approval`. */
  countPayment(outcome: string): void
  /** What the defence against card testing did: `address`, `card` and `burst` refuse one try, `alarm` is a business under attack. */
  countCardTesting(what: string): void
  /** Text for Prometheus. What the database counts is read when it is asked for. */
  text(): Promise<string>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** What the database counts. */
export interface MoneyCounts {
  /** How many outcomes are unknown just now, and how many a person must look at. */
  countOpen(): Promise<{ open: number; attention: number }>
  /** Open differences between the gateway's books and ours, by kind; and days that could not be compared. */
  countFindings(): Promise<{ byKind: Record<string, number>; failedDays: number }>
}

export function createMetrics({ countOpen, countFindings }: MoneyCounts): Metrics {
  const registers = [new Registry()]
  const [registry = new Registry()] = registers
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'rialto_http_request_seconds',
    help: 'Time to respond, by route and status.',
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
  const findings = new Gauge({
    name: 'rialto_reconciliation_open_findings',
    help: "Differences between the gateway's books and ours that nobody has resolved, by kind. Must be 0: npm run reconcile -- list",
    labelNames: ['kind'],
    registers,
  })
  const failedDays = new Gauge({
    name: 'rialto_reconciliation_failed_days',
    help: 'Days of terminals whose last comparison with the gateway failed. They are tried again.',
    registers,
  })
  return {
    answered: ({ method, path, status, seconds }) => requests.observe({ method, path, status }, seconds),
    countCardTesting: (what) => cardTesting.inc({ what }),
    countPayment: (outcome) => payments.inc({ outcome }),
    async text() {
      const [counts, found] = await Promise.all([countOpen(), countFindings()])
      open.set(counts.open)
      attention.set(counts.attention)
      for (const [kind, count] of Object.entries(found.byKind)) findings.set({ kind }, count)
      failedDays.set(found.failedDays)
      return registry.metrics()
    },
  }
}
