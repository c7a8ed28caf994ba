import type { FastifyBaseLogger } from 'fastify'
import { type ApiKeyUse, createApiKeyUse } from '../access/keys/api-key-use.ts'
import { type AllowedIpUse, createAllowedIpUse } from '../access/shared/allowed-ip-use.ts'
import { createMerchants } from '../businesses/merchants.ts'
import { cardTestingDefence, noCardTestingDefence } from '../checkout/pay/card-testing.ts'
import { customerCardLinks } from '../checkout/sessions/customer-card-link.ts'
import { createSessionTokens } from '../checkout/sessions/session-token.ts'
import { createMethodNotices } from '../checkout/three-ds/method-notices.ts'
import { type Config, dashboardOriginOf } from '../config.ts'
import { createRefusalRecorder, type RefusalRecorder } from '../dashboard/refusal-recorder.ts'
import { connect, type Database, REQUEST_WAIT_MS } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import { oldestLetterSeconds } from '../emails/oldest-letter.ts'
import { oldestDueSeconds } from '../events/delivery/oldest-due.ts'
import { noLetterLimit } from '../events/letter-limit.ts'
import { personNotices } from '../events/person-notices.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'
import { simulatorControl } from '../gateway/simulator/control.ts'
import type { RootKeys } from '../google-pay/root-keys.ts'
import { databaseRateLimiters } from '../http/database-rate-limit.ts'
import { memoryRateLimiters } from '../http/memory-rate-limit.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import { noRateLimiters } from '../http/rate-limit.ts'
import { createJobs, type Jobs } from '../jobs/jobs.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { killAt, noFaults } from '../lib/fault-points.ts'
import { createKeyring } from '../lib/keyring.ts'
import { countOpen } from '../payments/open-operation-queries.ts'
import { gatewayTimings } from '../payments/operation.ts'
import type { Payment } from '../payments/payment.ts'
import { countFindings } from '../payments/reconciliation/count-findings.ts'
import { resolveJob } from '../payments/recovery/recovery-jobs.ts'
import type { PaymentServices } from '../payments/services.ts'
import { unpayPeriod } from '../subscriptions/lifecycle/unpay-period.ts'
import { signUps } from '../subscriptions/sign-up/sign-ups.ts'
import { subscriptionLinks } from '../subscriptions/subscription-link.ts'
import type { ThreeDsServer } from '../three-d-secure/three-ds-server.ts'
import { readBinTable } from '../vault/bin-table.ts'
import { createVault } from '../vault/vault.ts'
import { pluggedOwners } from './charge-owners.ts'
import { gatewayNamed } from './gateways.ts'
import { googlePayOf, rootKeysOf } from './google-pay.ts'
import { letterLimit } from './letter-limit.ts'
import { letterSources } from './letter-sources.ts'

export interface ServiceParts {
  config: Config
  databaseUrl: string
  /** Milliseconds until a request without a connection fails; by default, {@link REQUEST_WAIT_MS}. */
  databaseWaitMs?: number
  masterKeys: Buffer[]
  /** Gateways by the name that terminals have for them. */
  gateways: Record<string, Gateway>
  /** Absent or `null` if payers cannot be authenticated. */
  threeDsServer?: ThreeDsServer | null
  /** Access to the gateway simulator, for its ledger in the dashboard of staging. */
  simulator?: SimulatorAccess
  log: FastifyBaseLogger
  clock?: Clock
}

/** Recorders, which write what calls leave behind after their responses. */
export interface Recorders {
  apiKeyUse: ApiKeyUse
  allowedIpUse: AllowedIpUse
  refusals: RefusalRecorder
}

export async function flushed({ apiKeyUse, allowedIpUse, refusals }: Recorders): Promise<void> {
  await Promise.all([apiKeyUse.flushed(), allowedIpUse.flushed(), refusals.flush()])
}

/** Open resources of the process, closed when it ends. */
export interface Resources {
  database: Database
  metrics: Metrics
  jobs: Jobs
  recorders: Recorders
  /** Google's keys. */
  rootKeys: RootKeys
}

/** The dependencies of use cases and routes. */
export type Services = ReturnType<typeof createServices>

export function openResources(parts: ServiceParts): Resources {
  const { config, databaseUrl, databaseWaitMs = REQUEST_WAIT_MS, log, clock = systemClock } = parts
  const database = connect({
    url: databaseUrl,
    max: config.databaseConnections,
    preparedStatements: config.preparedStatements,
    waitMs: databaseWaitMs,
    onIdleError: (error) => log.warn({ err: error }, 'idle database connection lost'),
  })
  const { db } = database
  const { preparedStatements } = config
  const metrics = createMetrics({
    countOpen: () => countOpen(db, clock.now()),
    countFindings: () => countFindings(db),
    oldestWebhookSeconds: () => oldestDueSeconds(db, clock.now()),
    oldestLetterSeconds: () => oldestLetterSeconds({ db, clock }),
  })
  const jobs = createJobs({ databaseUrl, preparedStatements, log })
  const { environment } = config
  return {
    database,
    metrics,
    jobs,
    rootKeys: rootKeysOf(config, { clock, log }),
    recorders: {
      apiKeyUse: createApiKeyUse({ db, clock, log }),
      allowedIpUse: createAllowedIpUse({ db, clock, log, environment }),
      refusals: createRefusalRecorder({ db, clock, log }),
    },
  }
}

type ServiceResources = Pick<Resources, 'database' | 'metrics' | 'rootKeys'>

export function createServices(parts: ServiceParts, resources: ServiceResources) {
  const services = createSharedServices(parts, resources)
  const subscriptionLink = subscriptionLinks(services)
  const linked = {
    ...services,
    subscriptionLink,
    customerCardLink: customerCardLinks(services),
  }
  return { ...linked, signUps: signUps(linked), letterSources: letterSources(linked) }
}

function createSharedServices(
  { config, masterKeys, gateways, threeDsServer, simulator, log, clock = systemClock }: ServiceParts,
  { database, metrics, rootKeys }: ServiceResources,
) {
  const { db } = database
  const keyring = createKeyring(masterKeys)
  const bins = readBinTable(config.binTable, config.environment)
  const resolveSoon: PaymentServices['resolveSoon'] = (tx, at) => resolveJob.enqueue(tx, {}, { at })
  const letters = config.rateLimits ? letterLimit({ keyring }) : noLetterLimit
  return {
    db,
    keyring,
    clock,
    log,
    environment: config.environment,
    vault: createVault({ db, keyring, clock }),
    owners: pluggedOwners({ db, clock }),
    gateways: (name: string) => gatewayNamed(gateways, name),
    threeDsServer: threeDsServer ?? null,
    bins,
    googlePay: googlePayOf(config, { db, keyring, clock, log, bins, rootKeys }),
    timings: gatewayTimings(config.timeScale),
    faults: config.faultPlace === null ? noFaults : killAt(config.faultPlace),
    resolveSoon,
    count: metrics.countPayment,
    countLetter: metrics.countLetter,
    letterDays: config.letterDays,
    onVoided: (tx: Tx, payment: Payment) => unpayPeriod({ clock }, tx, payment),
    cardTesting: config.rateLimits
      ? cardTestingDefence({ db, clock, log, count: metrics.countCardTesting })
      : noCardTestingDefence,
    makeRateLimiter: config.rateLimits ? databaseRateLimiters({ db, keyring }) : noRateLimiters,
    makeOwnRateLimiter: config.rateLimits ? memoryRateLimiters() : noRateLimiters,
    sessionTokens: createSessionTokens({ keyring }),
    methodNotices: createMethodNotices(),
    walletFrames: createSessionTokens({ keyring }, 'seal wallet frames'),
    merchants: createMerchants({ db, clock }),
    links: { dashboardUrl: config.dashboardUrl },
    dashboardOrigin: dashboardOriginOf(config),
    notifyPerson: personNotices({ clock, keyring, letterLimit: letters }),
    letterLimit: letters,
    webhookTargets: {
      environment: config.environment,
      ownOrigins: ownOriginsOf(config),
    },
    eventDays: config.eventDays,
    simulatorRows: simulator ? simulatorControl(simulator).rows : null,
  }
}

/** Returns the origin of every listener of this service and of the simulator beside it. */
function ownOriginsOf(config: Config): string[] {
  const { baseUrl, dashboardUrl, walletUrl, port, dashboardPort, operationsPort, simulatorPort } = config
  const inner = [port, dashboardPort, operationsPort, simulatorPort].map((own) => `http://127.0.0.1:${own}`)
  return [baseUrl, dashboardUrl, walletUrl, dashboardOriginOf(config), ...inner]
}
