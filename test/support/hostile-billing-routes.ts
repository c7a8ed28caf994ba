import type { TSchema } from 'typebox'
import { RefundCreate } from '../../contract/refund.ts'
import {
  PausePreviewRequest,
  PauseRequest,
  ResumePreviewRequest,
  ResumeRequest,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionUpdate,
} from '../../contract/subscription.ts'
import { TestClockAdvance } from '../../contract/test-clock.ts'
import { VoidCreate } from '../../contract/void.ts'
import { newId } from '../../server/lib/ids.ts'
import { type BodyRoute, type RouteGiven, routeOf } from './hostile-route.ts'
import type { TestService } from './service.ts'
import { makeSubscriber, type Subscriber, subscriptionBody } from './subscriber.ts'

// Paths of the merchant API whose bodies concern subscriptions, refunds, voids and the test clock. Each change that
// cannot be repeated gets its own object.

const REFUNDED = { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }
const DAY_MS = 86_400_000

interface Wanted extends Pick<RouteGiven, 'method' | 'okStatus' | 'emptyBody'> {
  schema: TSchema
  /**
   * Creates a new object, if there is one: returns the path below `/api/v1/`, and the members that the samples have
   * wrong.
   */
  on(ana: Subscriber): Promise<{ path: string; given?: Record<string, unknown> }>
  /** Whether a good request can be made only once. */
  isOnce?: boolean
}

let made = 1

/** Returns a create with a new quantity: of identical concurrent ones, one is refused. */
function newSubscription(ana: Subscriber) {
  made += 1
  const items = [{ price: ana.price, quantity: made }]
  return ana.api.made('/subscriptions', subscriptionBody(ana, { price: undefined, items }))
}

async function active(ana: Subscriber, path = '') {
  const { id } = await newSubscription(ana)
  return { id: id as string, path: `subscriptions/${id}${path}` }
}

async function paused(ana: Subscriber, path: string) {
  const one = await active(ana, path)
  await ana.api.post(`/subscriptions/${one.id}/pause`, REFUNDED)
  return one
}

async function paid(ana: Subscriber): Promise<string> {
  return (await newSubscription(ana)).latest_payment
}

const WANTED: Record<string, Wanted> = {
  subscriptions: {
    schema: SubscriptionCreate,
    okStatus: 201,
    on: async ({ customer, price, payment_method }) => {
      const start_date = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
      const items = [{ price, quantity: 1 }]
      const given = { customer, items, payment_method, start_date, price: undefined, currency: undefined }
      return { path: 'subscriptions', given }
    },
  },
  'subscriptions/id': {
    schema: SubscriptionUpdate,
    on: async (ana) => ({ ...(await active(ana)), given: { payment_method: undefined } }),
  },
  'subscriptions/id/pause/preview': { schema: PausePreviewRequest, on: (ana) => active(ana, '/pause/preview') },
  'subscriptions/id/pause': {
    schema: PauseRequest,
    isOnce: true,
    on: async (ana) => ({ ...(await active(ana, '/pause')), given: REFUNDED }),
  },
  'subscriptions/id/resume/preview': { schema: ResumePreviewRequest, on: (ana) => paused(ana, '/resume/preview') },
  'subscriptions/id/resume': {
    schema: ResumeRequest,
    isOnce: true,
    on: async (ana) => {
      const given = { billing_cycle_anchor: 'unchanged', idempotency_key: newId() }
      return { ...(await paused(ana, '/resume')), given }
    },
  },
  'subscriptions/id (DELETE)': {
    schema: SubscriptionCancel,
    method: 'DELETE',
    emptyBody: 'acts',
    isOnce: true,
    on: (ana) => active(ana),
  },
  refunds: {
    schema: RefundCreate,
    okStatus: 201,
    isOnce: true,
    on: async (ana) => ({ path: 'refunds', given: { payment: await paid(ana) } }),
  },
  voids: {
    schema: VoidCreate,
    isOnce: true,
    on: async (ana) => ({ path: 'voids', given: { payment: await paid(ana) } }),
  },
  // The last one, because it changes the time of all others.
  'test_clock/advance': {
    schema: TestClockAdvance,
    on: async () => ({ path: 'test_clock/advance', given: { to: undefined, days: undefined, seconds: 60 } }),
  },
}

export const BILLING_ROUTES = Object.keys(WANTED)

export async function billingRoutes(service: TestService): Promise<BodyRoute[]> {
  const ana = await makeSubscriber(service)
  const routes: BodyRoute[] = []
  for (const [name, wanted] of Object.entries(WANTED))
    routes.push(await billingRoute(service, ana, { name, ...wanted }))
  return routes
}

async function billingRoute(
  service: TestService,
  ana: Subscriber,
  { on, isOnce = false, ...wanted }: Wanted & { name: string },
): Promise<BodyRoute> {
  const { path, given = {} } = await on(ana)
  const fresh = () => billingRoute(service, ana, { on, isOnce, ...wanted })
  const credentials = { authorization: `Bearer ${service.demo.api_key}` }
  return routeOf({ ...wanted, given, credentials, url: `${service.url}/api/v1/${path}`, ...(isOnce && { fresh }) })
}
