import type { FastifyInstance } from 'fastify'
import type { PaymentPageHeaders, RenderPaymentPage } from '../../contract/payment-page.ts'
import type { PageAssets } from '../checkout/page/page-reply.ts'
import { paymentPageRoutes, paymentPages } from '../checkout/page/payment-page-routes.ts'
import type { sessionDoor } from '../checkout/sessions/session-access.ts'
import { bridgePages, bridgeRoutes } from '../checkout/three-ds/bridge-routes.ts'
import { BRIDGE_PREFIX } from '../checkout/three-ds/bridge-urls.ts'
import type { Config } from '../config.ts'
import type { DashboardState } from '../dashboard/document.ts'
import { documentRoutes, unknownPages } from '../dashboard/document-routes.ts'
import { mailboxRoutes } from '../emails/mailbox/mailbox-routes.ts'
import type { HomeOf } from '../http/configured-address.ts'
import { DASHBOARD_API, type Family } from '../http/family.ts'
import type { Route } from '../http/route.ts'
import { createServer } from '../http/server.ts'
import type { AdvanceTestClock } from '../test-clock/advance-test-clock.ts'
import { dashboardRoutesOf } from './dashboard.ts'
import { anonymousLimiter, type Listener } from './listener.ts'
import type { Services } from './services.ts'

/** The payment page. The server does not import `payment-form/`: whoever composes a service passes the page in. */
export interface PaymentPage {
  render: RenderPaymentPage
  headers: PaymentPageHeaders
  assets: PageAssets
}

interface FormParts {
  baseUrl: string
  walletUrl: string
  services: Services
  page: PaymentPage
  door: ReturnType<typeof sessionDoor>
  listener: Listener
  /** Returns the built pages of the dashboard, if they exist. */
  dashboard: () => DashboardState
  advanceTestClock: AdvanceTestClock
  config: Pick<Config, 'environment' | 'dashboardUrl' | 'merchantDashboardUrl' | 'trustedProxies' | 'mail'>
}

/** Creates the listener at {dashboard_url}: the payment form's own origin. */
export function createFormHost(parts: FormParts): { form: FastifyInstance; routes: Route[] } {
  const { baseUrl, walletUrl, services, page, dashboard, door, listener, config } = parts
  const pages = { ...services, ...page, baseUrl, walletUrl, door }
  const family = paymentPages(pages)
  const bridges = bridgePages(services)
  const documents = {
    family,
    environment: config.environment,
    dashboardOrigin: services.dashboardOrigin,
    hasOwnHost: config.merchantDashboardUrl !== null,
    apiOrigin: new URL(baseUrl).origin,
    state: dashboard,
  }
  const routes = [
    ...paymentPageRoutes(pages, family),
    ...bridgeRoutes(services, bridges),
    ...mailbox(services, family, config),
    ...dashboardRoutesOf({ ...services, renderPage: page.render, advanceTestClock: parts.advanceTestClock }),
    ...documentRoutes(documents),
  ]
  const families = [
    { prefix: '/dashboard/api', family: DASHBOARD_API },
    { prefix: '/dashboard/auth', family: DASHBOARD_API },
    { prefix: '/dashboard', family: unknownPages(documents) },
    { prefix: BRIDGE_PREFIX, family: bridges },
    { prefix: '', family },
  ]
  const isElsewhere = pathsByHost(config)
  const homeOf = homesOf(config)
  const options = { ...listener, routes, families, isElsewhere, homeOf, anonymousLimiter: anonymousLimiter(services) }
  return { form: createServer(options), routes }
}

const PAYMENT_PAGE = /^\/customer\/checkout(?:-rapid)?\//
const DASHBOARD_PAGE = /^\/(?:dashboard(?:\/(?!api\/|auth\/|assets\/).*)?)?$/

/**
 * Returns the addresses of pages that people open. The bank's pages follow a payment page, and the mailbox decides by
 * itself who may read it.
 */
function homesOf({ dashboardUrl, merchantDashboardUrl }: FormParts['config']): HomeOf {
  const form = { origin: new URL(dashboardUrl).origin, variable: 'DASHBOARD_URL' }
  const own = merchantDashboardUrl && new URL(merchantDashboardUrl).origin
  const dashboard = own ? { origin: own, variable: 'MERCHANT_DASHBOARD_URL' } : form
  return (path) => (PAYMENT_PAGE.test(path) ? form : DASHBOARD_PAGE.test(path) ? dashboard : null)
}

/**
 * Separates the hosts: if the dashboard has its own, it is only there, and the payment form only on the other one.
 * Staging's mailbox, which decides by itself who may read it, is on both.
 *
 * @see DSH-19
 */
function pathsByHost({
  dashboardUrl,
  merchantDashboardUrl,
}: Pick<Config, 'dashboardUrl' | 'merchantDashboardUrl'>): (path: string, host: string) => boolean {
  if (merchantDashboardUrl === null) return () => false
  const [form, dashboard] = [new URL(dashboardUrl), new URL(merchantDashboardUrl)]
  const isHost = (host: string, { host: own, protocol }: URL) =>
    URL.canParse(`${protocol}//${host}`) && new URL(`${protocol}//${host}`).host === own
  return (path, host) => {
    if (path === '/mailbox' || path.startsWith('/mailbox/')) return false
    const isDashboards = path === '/' || path === '/dashboard' || path.startsWith('/dashboard/')
    return !isHost(host, isDashboards ? dashboard : form)
  }
}

/** Returns the mailbox's routes, in staging only: in production these are unknown paths. */
function mailbox(services: Services, family: Family, config: FormParts['config']): Route[] {
  const { environment, dashboardUrl, trustedProxies, mail } = config
  if (environment === 'production') return []
  const knowsProxies = trustedProxies.length > 0
  return mailboxRoutes({ ...services, family, dashboardUrl, knowsProxies, isSending: mail !== null })
}
