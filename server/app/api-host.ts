import type { FastifyInstance } from 'fastify'
import packageJson from '../../package.json' with { type: 'json' }
import { accountRoute } from '../access/keys/account-route.ts'
import type { ApiKeyUse } from '../access/keys/api-key-use.ts'
import { type ApiKeys, createApiKeys } from '../access/keys/api-keys.ts'
import { countUnknownPath, createMerchantApi, type MerchantApi } from '../access/keys/merchant-api.ts'
import { keyLimit, secretKeyAccess } from '../access/keys/secret-key.ts'
import { oauthRoutes } from '../access/oauth-routes.ts'
import { createPageSightings } from '../access/page-sightings.ts'
import type { AllowedIpUse } from '../access/shared/allowed-ip-use.ts'
import { bearerAccess, businessLimit } from '../access/tokens/bearer.ts'
import { type BearerTokens, createBearerTokens } from '../access/tokens/bearer-tokens.ts'
import { browserTokenRoutes, creatorAccess, limitsOfCreators } from '../access/tokens/browser-tokens.ts'
import { priceRoutes } from '../catalog/price-routes.ts'
import { productRoutes } from '../catalog/product-routes.ts'
import { formRoutes } from '../checkout/form/form-routes.ts'
import { type ClientLibrary, clientLibraryRoutes } from '../checkout/page/client-library-routes.ts'
import { cspReportRoute } from '../checkout/page/csp-report-route.ts'
import type { PageAssets } from '../checkout/page/page-reply.ts'
import { simulatedTokenRoute } from '../checkout/page/simulated-token-route.ts'
import { walletRoutes } from '../checkout/page/wallet-routes.ts'
import type { sessionDoor } from '../checkout/sessions/session-access.ts'
import { sessionRoutes } from '../checkout/sessions/session-routes.ts'
import { threeDsRoutes } from '../checkout/three-ds/three-ds-routes.ts'
import type { Config } from '../config.ts'
import { customerRoutes } from '../customers/customer-routes.ts'
import { paymentMethodRoutes } from '../customers/payment-method-routes.ts'
import { eventRoutes } from '../events/event-routes.ts'
import { webhookDeliveryRoutes } from '../events/webhooks/webhook-delivery-routes.ts'
import { webhookEndpointRoutes } from '../events/webhooks/webhook-endpoint-routes.ts'
import { MERCHANT_API } from '../http/family.ts'
import { referenceRoutes } from '../http/reference/reference-routes.ts'
import { rootRoute } from '../http/root-route.ts'
import type { Route } from '../http/route.ts'
import { createServer } from '../http/server.ts'
import { batchRoutes } from '../payments/batches/batch-routes.ts'
import { openBatchRoutes } from '../payments/batches/open-batch-routes.ts'
import { refundRoutes } from '../payments/refunds/refund-routes.ts'
import { saleRoutes } from '../payments/stored-card-sale/sale-routes.ts'
import { voidRoutes } from '../payments/voids/void-routes.ts'
import { subscriptionRoutes } from '../subscriptions/create/subscription-routes.ts'
import { lifecycleRoutes } from '../subscriptions/lifecycle/lifecycle-routes.ts'
import { resumeRoutes } from '../subscriptions/resume/resume-routes.ts'
import type { AdvanceTestClock } from '../test-clock/advance-test-clock.ts'
import { anonymousLimiter, type Listener } from './listener.ts'
import type { Recorders, Services } from './services.ts'
import { stagingRoutes, testClockOf } from './test-clock.ts'

const RELEASE = {
  version: packageJson.version,
  viewerVersion: packageJson.dependencies['@scalar/fastify-api-reference'],
}

interface ApiParts {
  config: Config
  services: Services
  recorders: Recorders
  library: ClientLibrary
  assets: PageAssets
  door: ReturnType<typeof sessionDoor>
  health: Route[]
  listener: Listener
}

export interface ApiHost {
  api: FastifyInstance
  routes: Route[]
  /** Advances business clocks, of which this listener caches copies for a second. */
  advanceTestClock: AdvanceTestClock
}

/** Creates the listener at {base_url}: both API families, the client library for browsers, and the API reference. */
export function createApiHost(parts: ApiParts): ApiHost {
  const { config, services, recorders, library, assets, door, health } = parts
  const { apiKeyUse, allowedIpUse, refusals } = recorders
  const { baseUrl } = config
  const apiKeys = createApiKeys(services)
  const bearerTokens = createBearerTokens(services)
  const sightings = createPageSightings({ ...services, apiKeys, bearerTokens })
  const listener = { ...parts.listener, onRefusal: refusals.record, onPageCall: sightings.look }
  const merchantApi = merchantApiOf(services, { apiKeys, apiKeyUse })
  const advanceTestClock = testClockOf(services, [apiKeys, bearerTokens])
  const apiRoutes = [
    ...bearerRoutes({ ...services, allowedIpUse, bearerTokens }, baseUrl),
    ...secretKeyRoutes(merchantApi, services),
    ...stagingRoutes(services, merchantApi, advanceTestClock),
    ...formRoutes({ ...services, door }),
    ...walletRoutes({ ...services, door }, { walletUrl: config.walletUrl, script: assets.wallet }),
    ...simulatedWallet({ ...services, door }, config),
    ...threeDsRoutes({ ...services, door }),
    cspReportRoute(services),
    rootRoute(config),
    ...clientLibraryRoutes(library, listener.formOrigin),
    ...health,
  ]
  const routes = [...apiRoutes, ...referenceRoutes(apiRoutes, { baseUrl, ...RELEASE })]
  const onUnknownPath = new Map([[MERCHANT_API, countUnknownPath(merchantApi)]])
  const home = { origin: new URL(baseUrl).origin, variable: 'BASE_URL' }
  const homeOf = (path: string) => (path === '/' || path === '/docs' ? home : null)
  const options = { ...listener, routes, onUnknownPath, homeOf }
  const api = createServer({ ...options, anonymousLimiter: anonymousLimiter(services) })
  api.addHook('onClose', sightings.flushed)
  return { api, routes, advanceTestClock }
}

/** Returns the routes of the simulated wallet, if it is used; otherwise these are unknown paths (GPY-8). */
function simulatedWallet(services: Services & Pick<ApiParts, 'door'>, { walletUrl }: Config): Route[] {
  return services.googlePay.isSimulated ? [simulatedTokenRoute(services, walletUrl)] : []
}

type BearerParts = Services & { bearerTokens: BearerTokens; allowedIpUse: AllowedIpUse }

/** Returns the routes that require an access token, and those that issue one. */
function bearerRoutes(services: BearerParts, baseUrl: string): Route[] {
  const bearer = bearerAccess(services)
  const creator = creatorAccess(services, bearer)
  const creatorLimits = limitsOfCreators(services.makeRateLimiter)
  const merchant = { ...services, bearer, creator, limits: [businessLimit(services.makeRateLimiter)] }
  return [
    ...oauthRoutes(services),
    ...browserTokenRoutes(merchant),
    ...sessionRoutes({ ...merchant, baseUrl, creatorLimits }),
    ...saleRoutes(merchant),
    ...openBatchRoutes(merchant),
  ]
}

function merchantApiOf(services: Services, keys: { apiKeys: ApiKeys; apiKeyUse: ApiKeyUse }): MerchantApi {
  const access = secretKeyAccess({ ...services, ...keys })
  return createMerchantApi(services, { access, limit: keyLimit(services.makeRateLimiter) })
}

/** Returns the routes that require a secret key: the merchant API. */
function secretKeyRoutes(merchantApi: MerchantApi, services: Services): Route[] {
  return [
    accountRoute(merchantApi),
    ...customerRoutes(merchantApi),
    ...paymentMethodRoutes(merchantApi),
    ...productRoutes(merchantApi),
    ...priceRoutes(merchantApi),
    ...refundRoutes(merchantApi, services),
    ...voidRoutes(merchantApi, services),
    ...batchRoutes(merchantApi),
    ...subscriptionRoutes({ ...services, ...merchantApi }),
    ...lifecycleRoutes(services, merchantApi),
    ...resumeRoutes({ ...services, ...merchantApi }),
    ...eventRoutes(merchantApi, services),
    ...webhookDeliveryRoutes(merchantApi, services),
    ...webhookEndpointRoutes(merchantApi, services),
  ]
}
