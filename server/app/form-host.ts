import type { FastifyInstance } from 'fastify'
import type { PaymentPageHeaders, RenderPaymentPage } from '../../contract/payment-page.ts'
import type { PageAssets } from '../checkout/page/page-reply.ts'
import { paymentPageRoutes, paymentPages } from '../checkout/page/payment-page-routes.ts'
import type { sessionDoor } from '../checkout/sessions/session-access.ts'
import type { Route } from '../http/route.ts'
import { createServer } from '../http/server.ts'
import { anonymousLimiter, type Listener } from './listener.ts'
import type { Services } from './services.ts'

/** The payment page. The server does not import `payment-form/`: whatever composes a service passes the page in. */
export interface PaymentPage {
  render: RenderPaymentPage
  headers: PaymentPageHeaders
  assets: PageAssets
}

interface FormParts {
  baseUrl: string
  services: Services
  page: PaymentPage
  door: ReturnType<typeof sessionDoor>
  listener: Listener
}

/** The listener at {dashboard_url}: the payment form's own origin. */
export function createFormHost(parts: FormParts): { form: FastifyInstance; routes: Route[] } {
  const { baseUrl, services, page, door, listener } = parts
  const pages = { ...services, ...page, baseUrl, door }
  const family = paymentPages(pages)
  const routes = paymentPageRoutes(pages, family)
  const families = [{ prefix: '', family }]
  return { form: createServer({ ...listener, routes, families, anonymousLimiter: anonymousLimiter(services) }), routes }
}
