import { equal } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleRequest } from '../../server/gateway/gateway.ts'
import { lifecycleCalls } from './lifecycle-calls.ts'
import type { Response } from './merchant.ts'
import { assertMerchantRefused } from './merchant-refusal.ts'
import { openService } from './service.ts'
import { resolveAll } from './silent-gateway.ts'
import { assertSoundBooks } from './sound-books.ts'
import { stillClock } from './still-clock.ts'
import {
  createSubscribed,
  makeSubscribable,
  type Subscribable,
  storedBills,
  storedPauses,
  storedSubscription,
} from './subscriptions.ts'

export const START = '2027-03-01T15:00:00Z'
const PAUSED_AT = '2027-03-10T15:00:00Z'
export const RESUMED_AT = '2027-05-31T15:00:00Z'

const TIME_SCALE = 0.1

type Which = { id: string }

/**
 * Opens a service for resumes that charge, with a clock that stands still, and recovery. Its books are audited at the
 * end.
 */
export async function openResumes(timeScale = TIME_SCALE) {
  const clock = stillClock(START)
  // The hourly job of the worker would delete the events of March while a test runs in May.
  const service = await openService({ clock, timeScale, config: { eventDays: 3_650 } })
  await service.app.startWorker()
  const calls = lifecycleCalls(service)
  const offer = await makeSubscribable(service)
  const quoteOf = async (one: Which): Promise<string> => (await calls.previewResume(one, 'now')).body.quote_hash
  return {
    service,
    clock,
    calls,
    offer,
    quoteOf,
    /** Creates a subscription paused on 10 March with the paid time refunded; the clock is at the last of May. */
    async paused(more: object = {}, of: Subscribable = offer): Promise<Which> {
      clock.set(START)
      const one = await createSubscribed(service, of, more)
      clock.set(PAUSED_AT)
      equal((await calls.refunded(one)).status, 200)
      clock.set(RESUMED_AT)
      return one
    },
    resume: async (one: Which, more: object = {}) =>
      calls.resume(one, 'now', { quote_hash: await quoteOf(one), ...more }),
    /** Makes sales wait from now on. @returns a function that lets all of them continue */
    holdSales(): () => void {
      const gateway = service.app.services.gateways('simulator')
      const { sale } = gateway
      const released = Promise.withResolvers<void>()
      Object.assign(gateway, { sale: (request: SaleRequest) => released.promise.then(() => sale(request)) })
      return () => {
        Object.assign(gateway, { sale })
        released.resolve()
      }
    },
    /** Counts sales that the gateway has seen. */
    sales: async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length,
    paymentsOf: async ({ id }: Which) => (await calls.api.get(`/subscriptions/${id}/payments`)).body.data,
    /** Returns everything that is stored of it except its payments. */
    stored: async ({ id }: Which) => ({
      loaded: await storedSubscription(service, id),
      pauses: await storedPauses(service, id),
      bills: await storedBills(service, id),
      events: await calls.eventTypes({ id }),
    }),
    async untilCharging({ id }: Which): Promise<void> {
      while (!(await storedSubscription(service, id)).isCharging) await sleep(10)
    },
    /** Runs recovery until no outcome is open. The clock advances meanwhile. */
    async resolved(): Promise<void> {
      await resolveAll({ ...service, clock, timeScale })
      clock.set(RESUMED_AT)
    },
    async close(): Promise<void> {
      try {
        await assertSoundBooks(service)
        equal(service.logged().includes('request failed'), false)
      } finally {
        await service.close()
      }
    },
  }
}

export type Resumes = Awaited<ReturnType<typeof openResumes>>

export function assertDeclined(response: Response, code?: string): void {
  assertMerchantRefused(response, 402, 'card_declined', response.body.error?.param)
  equal(response.body.error.decline_code, code)
}
