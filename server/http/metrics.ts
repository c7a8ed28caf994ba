import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ReportedRequest } from './server.ts'

/**
 * How often the delay of the event loop is sampled once somebody reads it, in milliseconds. The default, 10 ms, wakes a
 * process 100 times a second.
 */
const LOOP_SAMPLE_MS = 250

export interface Metrics {
  observeRequest(request: ReportedRequest): void
  /** Counts a payment by its outcome: `approved`, `declined`, `in_doubt`, `not_sent`, `reversed`, `late_approval`. */
  countPayment(outcome: string): void
  /**
   * Counts card testing. `address`, `card` and `burst`: an attempt was refused. `alarm`: a business is under attack.
   */
  countCardTesting(what: string): void
  /** Counts a delivery by its outcome: `succeeded`, `retried`, `failed`. */
  countDelivery(outcome: string): void
  /** Counts a letter by its outcome: `sent`, `kept`, `failed`, `retried`. */
  countLetter(outcome: string): void
  /** Returns the metrics in Prometheus format. Figures from the database are read at this moment. */
  text(): Promise<string>
}

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]

/** Figures from the database. */
export interface DatabaseCounts {
  /** Counts the operations whose outcome is unknown now, and those of them that need a person. */
  countOpen(): Promise<{ open: number; attention: number }>
  /** Counts open differences between the gateway's books and ours, by kind; and days that could not be compared. */
  countFindings(): Promise<{ byKind: Record<string, number>; failedDays: number }>
  /** Returns how long the oldest due webhook has been waiting. */
  oldestWebhookSeconds(): Promise<number>
  /** Returns how long the oldest letter has been waiting to be sent. */
  oldestLetterSeconds(): Promise<number>
}

export function createMetrics(counts: DatabaseCounts): Metrics {
  const registry = new Registry()
  let isRead = false
  const { requests, payments, cardTesting, deliveries, letters } = requestMetrics([registry])
  const readCounts = databaseGauges(counts, [registry])
  return {
    observeRequest: ({ method, path, status, seconds }) => requests.observe({ method, path, status }, seconds),
    countCardTesting: (what) => cardTesting.inc({ what }),
    countPayment: (outcome) => payments.inc({ outcome }),
    countDelivery: (outcome) => deliveries.inc({ outcome }),
    countLetter: (outcome) => letters.inc({ outcome }),
    async text() {
      // Node's own figures are sampled by timers, so only once somebody reads them.
      if (!isRead) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_SAMPLE_MS })
      isRead = true
      await readCounts()
      return registry.metrics()
    },
  }
}

/** Metrics that are counted in this process. */
function requestMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'rialto_http_request_seconds',
      help: 'Time to respond, by route and status.',
      labelNames: ['method', 'path', 'status'],
      buckets: SECONDS,
      registers,
    }),
    payments: new Counter({
      name: 'rialto_payment_outcomes_total',
      help: 'Outcomes of charges. late_approval must stay 0: each one means that a rule of the money path was broken.',
      labelNames: ['outcome'],
      registers,
    }),
    cardTesting: new Counter({
      name: 'rialto_card_testing_total',
      help: 'Attempts refused as suspected card testing, by reason; alarm counts the businesses found under attack.',
      labelNames: ['what'],
      registers,
    }),
    deliveries: new Counter({
      name: 'rialto_webhook_deliveries_total',
      help: 'Attempts to deliver webhooks; failed counts those that used up their retries.',
      labelNames: ['outcome'],
      registers,
    }),
    letters: new Counter({
      name: 'rialto_letters_total',
      help: 'Letters sent, kept where there is no mail server, failed for good, and attempts that are repeated (retried).',
      labelNames: ['outcome'],
      registers,
    }),
  }
}

/** @returns a function that reads the figures from the database into the gauges */
function databaseGauges(counts: DatabaseCounts, registers: Registry[]): () => Promise<void> {
  const open = new Gauge({
    name: 'rialto_open_operations',
    help: 'Operations whose outcome is unknown.',
    registers,
  })
  const attention = new Gauge({
    name: 'rialto_operations_needing_attention',
    help: 'Operations open for more than a day: a person must look at them.',
    registers,
  })
  const findings = new Gauge({
    name: 'rialto_reconciliation_open_findings',
    help: "Unresolved differences between the gateway's books and ours, by kind. Must be 0: npm run reconcile -- list",
    labelNames: ['kind'],
    registers,
  })
  const failedDays = new Gauge({
    name: 'rialto_reconciliation_failed_days',
    help: 'Days of terminals whose last comparison with the gateway failed. They are retried.',
    registers,
  })
  const readOldest = oldestGauges(counts, registers)
  return async () => {
    const { countOpen, countFindings } = counts
    const [operations, found] = await Promise.all([countOpen(), countFindings(), readOldest()])
    open.set(operations.open)
    attention.set(operations.attention)
    for (const [kind, count] of Object.entries(found.byKind)) findings.set({ kind }, count)
    failedDays.set(found.failedDays)
  }
}

function oldestGauges(counts: DatabaseCounts, registers: Registry[]): () => Promise<void> {
  const webhook = new Gauge({
    name: 'rialto_webhook_oldest_due_seconds',
    help: 'How long the webhook that waits longest has been due. Retries that are not due yet do not count.',
    registers,
  })
  const letter = new Gauge({
    name: 'rialto_oldest_pending_letter_seconds',
    help: 'How long the oldest letter has waited to be sent. It grows while the mail server is away.',
    registers,
  })
  return async () => {
    const [webhooks, letters] = await Promise.all([counts.oldestWebhookSeconds(), counts.oldestLetterSeconds()])
    webhook.set(webhooks)
    letter.set(letters)
  }
}
