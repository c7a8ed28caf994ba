import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { PaymentPageHeaders, RenderPaymentPage } from '../../contract/payment-page.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { accessJobs } from '../access/access-jobs.ts'
import { accountRoute } from '../access/keys/account-route.ts'
import { type ApiKeyUse, createApiKeyUse } from '../access/keys/api-key-use.ts'
import { createApiKeys } from '../access/keys/api-keys.ts'
import { countUnknownPath, createMerchantApi, type MerchantApi } from '../access/keys/merchant-api.ts'
import { keyLimit, secretKeyAccess } from '../access/keys/secret-key.ts'
import { oauthRoutes } from '../access/oauth-routes.ts'
import { bearerAccess, businessLimit } from '../access/tokens/bearer.ts'
import { createBearerTokens } from '../access/tokens/bearer-tokens.ts'
import { browserTokenRoutes, creatorAccess, limitsOfCreators } from '../access/tokens/browser-tokens.ts'
import { createMerchants } from '../businesses/merchants.ts'
import { priceRoutes } from '../catalog/price-routes.ts'
import { productRoutes } from '../catalog/product-routes.ts'
import { formRoutes } from '../checkout/form/form-routes.ts'
import { type ClientLibrary, clientLibraryRoutes } from '../checkout/page/client-library-routes.ts'
import { cspReportRoute } from '../checkout/page/csp-report-route.ts'
import { type PageAssets, paymentPageRoutes, paymentPages } from '../checkout/page/payment-page-routes.ts'
import { cardTestingDefence, noCardTestingDefence } from '../checkout/pay/card-testing.ts'
import type { PayServices } from '../checkout/pay/pay-services.ts'
import { checkoutJobs } from '../checkout/sessions/expire-sessions.ts'
import { sessionDoor } from '../checkout/sessions/session-access.ts'
import { sessionRoutes } from '../checkout/sessions/session-routes.ts'
import { createSessionTokens } from '../checkout/sessions/session-token.ts'
import type { Config } from '../config.ts'
import { customerRoutes } from '../customers/customer-routes.ts'
import { paymentMethodRoutes } from '../customers/payment-method-routes.ts'
import { connect } from '../db/connection.ts'
import { pendingMigrations } from '../db/migrate.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { databaseRateLimiters } from '../http/database-rate-limit.ts'
import { MERCHANT_API } from '../http/family.ts'
import { healthRoutes, metricsRoute } from '../http/health-routes.ts'
import { memoryRateLimiters } from '../http/memory-rate-limit.ts'
import { createMetrics, type Metrics } from '../http/metrics.ts'
import { noRateLimiters } from '../http/rate-limit.ts'
import { referenceRoutes } from '../http/reference/reference-routes.ts'
import { rootRoute } from '../http/root-route.ts'
import type { Route } from '../http/route.ts'
import { createServer } from '../http/server.ts'
import { createJobs, type Jobs } from '../jobs/jobs.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import { killAt, noFaults } from '../lib/fault-points.ts'
import { createKeyring, type Keyring } from '../lib/keyring.ts'
import { createTtlCache } from '../lib/ttl-cache.ts'
import { countOpen } from '../payments/open-operation-queries.ts'
import { gatewayTimings } from '../payments/operation.ts'
import { paymentJobs, RESOLVE_OPERATIONS } from '../payments/payment-jobs.ts'
import { countFindings } from '../payments/reconciliation/count-findings.ts'
import { saleRoutes } from '../payments/stored-card-sale/sale-routes.ts'
import { readBinTable } from '../vault/bin-table.ts'
import { createVault } from '../vault/vault.ts'
import { pluggedOwners } from './charge-owners.ts'
import { gatewayNamed } from './gateways.ts'

/** What a composed service is made of; tests put other far ends in. */
export interface AppParts {
  config: Config
  databaseUrl: string
  masterKeys: Buffer[]
  /** By the name that terminals have for them. */
  gateways: Record<string, Gateway>
  library: ClientLibrary
  page: { render: RenderPaymentPage; headers: PaymentPageHeaders; assets: PageAssets }
  log: FastifyBaseLogger
  clock?: Clock
}

export interface App {
  /** The listener at {base_url}. */
  api: FastifyInstance
  /** The listener at {dashboard_url}: the payment form's own origin. */
  form: FastifyInstance
  /** The listener for the operator's tools: metrics and probes. */
  operations: FastifyInstance
  routes: Route[]
  services: PayServices & { jobs: Jobs; keyring: Keyring }
  startWorker(): Promise<void>
  /** Finishes the requests and jobs that run, then lets go of everything. */
  close(): Promise<void>
}

const RELEASE = {
  version: packageJson.version,
  viewerVersion: packageJson.dependencies['@scalar/fastify-api-reference'],
}

/** The only place where parts are chosen and joined. */
export function createApp(parts: AppParts): App {
  const { config, databaseUrl, gateways, page, library, log } = parts
  const database = connect({
    url: databaseUrl,
    max: config.databaseConnections,
    onIdleError: (error) => log.warn({ err: error }, 'an idle database connection was lost'),
  })
  const metrics = createMetrics({
    countOpen: () => countOpen(database.db),
    countFindings: () => countFindings(database.db),
  })
  const jobs = createJobs({ databaseUrl, log })
  const services = createServices(parts, { database, metrics, jobs })
  const apiKeyUse = createApiKeyUse(services)
  const merchantApi = merchantApiOf(services, apiKeyUse)
  let workerRuns = false
  const readiness = createTtlCache<string[]>(services.clock)
  const findMissing = () => missingParts(database.pool, () => workerRuns)
  // Anybody may ask for it, so the database is asked once a second at most.
  const health = healthRoutes({ missing: async () => (await readiness.get('missing', findMissing)) ?? [] })
  const { baseUrl, dashboardUrl: formOrigin, trustedProxies, maxConnections } = config
  const door = sessionDoor(services)
  const apiRoutes = [
    ...bearerRoutes(services, baseUrl),
    ...secretKeyRoutes(merchantApi),
    ...formRoutes({ ...services, door }),
    cspReportRoute(services),
    rootRoute(config),
    ...clientLibraryRoutes(library, formOrigin),
    ...health,
  ]
  const routes = [...apiRoutes, ...referenceRoutes(apiRoutes, { baseUrl, ...RELEASE })]
  const listener = { log, trustedProxies, formOrigin, maxConnections, onResponse: metrics.observeRequest }
  const strangers = () => services.makeOwnRateLimiter({ name: 'strangers', points: 1_200, seconds: 60 })
  const onUnknownPath = new Map([[MERCHANT_API, countUnknownPath(merchantApi)]])
  const api = createServer({ ...listener, routes, onUnknownPath, strangers: strangers() })
  const pages = { ...services, ...page, baseUrl, door }
  const family = paymentPages(pages)
  const formHostRoutes = paymentPageRoutes(pages, family)
  const families = [{ prefix: '', family }]
  const form = createServer({ ...listener, routes: formHostRoutes, families, strangers: strangers() })
  const figures = metricsRoute(metrics)
  const operations = createServer({ ...listener, routes: [...health, figures] })
  return {
    api,
    form,
    operations,
    routes: [...routes, ...formHostRoutes, figures],
    services,
    async startWorker() {
      await jobs.start([...paymentJobs(services), ...checkoutJobs(services), ...accessJobs(services)])
      workerRuns = true
    },
    async close() {
      // Each part is let go of, also when another one fails to.
      await using closing = new AsyncDisposableStack()
      closing.defer(() => database.close())
      closing.defer(() => apiKeyUse.flushed())
      closing.defer(async () => void (await Promise.all(Object.values(gateways).map((gateway) => gateway.close()))))
      closing.defer(() => jobs.stop())
      await Promise.all([api.close(), form.close(), operations.close()])
    },
  }
}

type Services = ReturnType<typeof createServices>

/** What operations and routes are given. */
function createServices(
  { config, masterKeys, gateways, log, clock = systemClock }: AppParts,
  { database, metrics, jobs }: { database: ReturnType<typeof connect>; metrics: Metrics; jobs: Jobs },
) {
  const { db } = database
  const keyring = createKeyring(masterKeys)
  return {
    db,
    keyring,
    clock,
    log,
    environment: config.environment,
    vault: createVault({ db, keyring, clock }),
    gateways: (name: string) => gatewayNamed(gateways, name),
    timings: gatewayTimings(config.timeScale),
    owners: pluggedOwners({ db, clock }),
    faults: config.faultPlace === null ? noFaults : killAt(config.faultPlace),
    resolveSoon: (tx: Parameters<Jobs['enqueue']>[0], at: Date) => jobs.enqueue(tx, RESOLVE_OPERATIONS, {}, { at }),
    count: metrics.countPayment,
    bins: readBinTable(config.binTable, config.environment),
    cardTesting: config.rateLimits
      ? cardTestingDefence({ db, clock, log, count: metrics.countCardTesting })
      : noCardTestingDefence,
    makeRateLimiter: config.rateLimits ? databaseRateLimiters({ db, keyring }) : noRateLimiters,
    makeOwnRateLimiter: config.rateLimits ? memoryRateLimiters() : noRateLimiters,
    merchants: createMerchants({ db, clock }),
    sessionTokens: createSessionTokens({ keyring }),
    links: { dashboardUrl: config.dashboardUrl },
    jobs,
  }
}

/** What an access token opens, and where one is got. */
function bearerRoutes(services: Services, baseUrl: string): Route[] {
  const bearerTokens = createBearerTokens(services)
  const bearer = bearerAccess({ ...services, bearerTokens })
  const creator = creatorAccess(services, bearer)
  const creatorLimits = limitsOfCreators(services.makeRateLimiter)
  const merchant = { ...services, bearer, creator, limits: [businessLimit(services.makeRateLimiter)] }
  return [
    ...oauthRoutes({ ...services, bearerTokens }),
    ...browserTokenRoutes(merchant),
    ...sessionRoutes({ ...merchant, baseUrl, creatorLimits }),
    ...saleRoutes(merchant),
  ]
}

function merchantApiOf(services: Services, apiKeyUse: ApiKeyUse): MerchantApi {
  const access = secretKeyAccess({ ...services, apiKeys: createApiKeys(services), apiKeyUse })
  return createMerchantApi(services, { access, limit: keyLimit(services.makeRateLimiter) })
}

/** What a secret key opens: the merchant API. */
function secretKeyRoutes(merchantApi: MerchantApi): Route[] {
  return [
    accountRoute(merchantApi),
    ...customerRoutes(merchantApi),
    ...paymentMethodRoutes(merchantApi),
    ...productRoutes(merchantApi),
    ...priceRoutes(merchantApi),
  ]
}

async function missingParts(
  pool: Parameters<typeof pendingMigrations>[0],
  workerRuns: () => boolean,
): Promise<string[]> {
  const missing = workerRuns() ? [] : ['worker']
  try {
    return (await pendingMigrations(pool)) === 0 ? missing : ['migrations', ...missing]
  } catch {
    return ['database', ...missing]
  }
}
