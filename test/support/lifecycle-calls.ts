import { deepEqual } from 'node:assert/strict'
import type { Response } from './merchant.ts'
import { merchantApiOf } from './merchant-api.ts'
import { assertMerchantRefused } from './merchant-refusal.ts'
import { eventsOf } from './recorded.ts'
import type { TestService } from './service.ts'
import { storedPauses, storedSubscription } from './subscriptions.ts'

type Which = { id: string }

/** The calls of a merchant's server that change the life of a subscription, and what they leave behind. */
export function lifecycleCalls(service: TestService) {
  const api = merchantApiOf(service)
  const pause = ({ id }: Which, body: object = {}) => api.post(`/subscriptions/${id}/pause`, body)
  return {
    api,
    pause,
    preserve: (one: Which) => pause(one, { unused_time_behavior: 'preserve_time' }),
    refunded: (one: Which) =>
      pause(one, { unused_time_behavior: 'external_refund', refund_confirmed: true, refund_reference: 'RF-1' }),
    pauseAtEnd: (one: Which, more: object = {}) => pause(one, { mode: 'period_end', ...more }),
    previewPause: ({ id }: Which, mode: string) => api.post(`/subscriptions/${id}/pause/preview`, { mode }),
    undoPause: ({ id }: Which) => api.post(`/subscriptions/${id}/pause-at-period-end/undo`),
    cancel: ({ id }: Which, body?: unknown) => api.delete(`/subscriptions/${id}`, body),
    cancelAtEnd: ({ id }: Which, wanted = true, more: object = {}) =>
      api.post(`/subscriptions/${id}`, { cancel_at_period_end: wanted, ...more }),
    previewResume: ({ id }: Which, anchor: 'now' | 'unchanged') =>
      api.post(`/subscriptions/${id}/resume/preview`, { billing_cycle_anchor: anchor }),
    resume: ({ id }: Which, anchor: 'now' | 'unchanged', more: object = {}) =>
      api.post(`/subscriptions/${id}/resume`, { billing_cycle_anchor: anchor, proration_behavior: 'none', ...more }),
    eventTypes: async ({ id }: Which) => (await eventsOf(service, id)).map(({ type }) => type),
    pauseStates: async ({ id }: Which) => (await storedPauses(service, id)).map(({ status }) => status),
    async assertUntouched({ id }: Which): Promise<void> {
      const { subscription, pause: found } = await storedSubscription(service, id)
      deepEqual([subscription.version, subscription.status, found], [1, 'active', null])
    },
  }
}

export const assertConflict = (response: Response) => assertMerchantRefused(response, 409, 'conflict', null)

export const assertInvalid = (response: Response, param: string) =>
  assertMerchantRefused(response, 422, 'parameter_invalid', param)

export const statusesOf = (responses: Response[]) => responses.map(({ status }) => status).sort()

export const epoch = (instant: string) => Date.parse(instant) / 1_000
