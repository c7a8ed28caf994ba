import {
  CancelAtEnd,
  CancelPreviewBody,
  CancelWithHash,
  PauseWithHash,
  ResumeBody,
} from '../../../contract/dashboard/subscriptions-api.ts'
import { PausePreviewRequest } from '../../../contract/subscription.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { cancelSubscription } from '../../subscriptions/lifecycle/cancel-subscription.ts'
import { pauseSubscription } from '../../subscriptions/lifecycle/pause-subscription.ts'
import { scheduleCancel } from '../../subscriptions/lifecycle/schedule-cancel.ts'
import { undoPause } from '../../subscriptions/lifecycle/undo-pause.ts'
import { findResumed } from '../../subscriptions/resume/find-resumed.ts'
import { resumeSubscription } from '../../subscriptions/resume/resume-subscription.ts'
import type { LoadedSubscription } from '../../subscriptions/subscription.ts'
import type { DashboardCall } from '../dashboard-call.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requirePreview } from '../preview-hash.ts'
import { cancelPreview, pausePreviewPage, resumePreviews } from './schedule-previews.ts'
import { readSubscriptionPage } from './subscription-page.ts'
import type { SubscriptionServices } from './subscription-routes.ts'

/** Returns the routes that pause, resume and cancel, with their previews. */
export function scheduleRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    ...pauseRoutes(dashboard, services),
    ...resumeRoutes(dashboard, services),
    ...cancelRoutes(dashboard, services),
  ]
}

export const whichOf = ({ member: { business }, params: { id = '' } }: DashboardCall) => ({ business, id })

/** Returns the page of the subscription that was changed in the transaction, and the entry for the audit log. */
export async function changed(
  services: SubscriptionServices,
  tx: Tx,
  given: Promise<LoadedSubscription>,
  after: object = {},
) {
  const loaded = await given
  const { id, status } = loaded.subscription
  return {
    body: await readSubscriptionPage({ ...services, db: tx }, loaded),
    audit: { object: { type: 'subscription', id }, after: { status, ...after } },
  }
}

function pauseRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/{id}/pause/preview', {
      permission: 'subscriptions.write',
      body: PausePreviewRequest,
      handle: async (call) => ({ body: await pausePreviewPage(services, { ...whichOf(call), mode: call.body.mode }) }),
    }),
    dashboard.write('POST /subscriptions/{id}/pause', {
      permission: 'subscriptions.write',
      action: 'subscription.pause',
      body: PauseWithHash,
      async handle(call, tx) {
        const within = { ...services, db: tx }
        const { preview_hash, ...body } = call.body
        const which = whichOf(call)
        if (preview_hash !== undefined)
          requirePreview(preview_hash, await pausePreviewPage(within, { ...which, mode: body.mode ?? 'immediate' }))
        return changed(services, tx, pauseSubscription(within, { ...which, body }), body)
      },
    }),
    dashboard.write('POST /subscriptions/{id}/pause-at-period-end/undo', {
      permission: 'subscriptions.write',
      action: 'subscription.undo_pause',
      handle: (call, tx) => changed(services, tx, undoPause({ ...services, db: tx }, whichOf(call))),
    }),
  ]
}

function resumeRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/{id}/resume/preview', {
      permission: 'subscriptions.write',
      handle: async (call) => ({ body: await resumePreviews(services, whichOf(call)) }),
    }),
    dashboard.once('POST /subscriptions/{id}/resume', {
      permission: 'subscriptions.write',
      action: 'subscription.resume',
      body: ResumeBody,
      asks: ({ params: { id = '' }, body: { billing_cycle_anchor, quote_hash } }, operation) => ({
        object: { type: 'subscription', id },
        // Only a resume that charges has a quote.
        after: { billing_cycle_anchor, ...(quote_hash !== undefined && { operation }) },
      }),
      async recover(call, id) {
        const resumed = await findResumed(services.db, whichOf(call), { body: call.body, id })
        return resumed && { body: resumed }
      },
      async handle(call, id) {
        const which = whichOf(call)
        const order = { ...which, body: call.body, idempotencyKey: id, chargeId: id }
        try {
          return { body: await resumeSubscription(services, order) }
        } catch (error) {
          if (!(error instanceof ApiError && error.code === 'quote_stale')) throw error
          const { message, errors = {} } = error.detail
          const preview = await resumePreviews(services, which)
          throw new ApiError('quote_stale', { message, errors, extra: { preview } })
        }
      },
    }),
  ]
}

function cancelRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/{id}/cancel/preview', {
      permission: 'subscriptions.write',
      body: CancelPreviewBody,
      handle: async (call) => ({ body: await cancelPreview(services, { ...whichOf(call), mode: call.body.mode }) }),
    }),
    dashboard.write('DELETE /subscriptions/{id}', {
      permission: 'subscriptions.write',
      action: 'subscription.cancel',
      body: CancelWithHash,
      async handle(call, tx) {
        const within = { ...services, db: tx }
        const which = whichOf(call)
        const { preview_hash, reason } = call.body
        if (preview_hash !== undefined)
          requirePreview(preview_hash, await cancelPreview(within, { ...which, mode: 'now' }))
        return changed(services, tx, cancelSubscription(within, { ...which, reason }), { reason })
      },
    }),
    dashboard.write('POST /subscriptions/{id}', {
      permission: 'subscriptions.write',
      action: 'subscription.cancel_at_period_end',
      body: CancelAtEnd,
      async handle(call, tx) {
        const within = { ...services, db: tx }
        const which = whichOf(call)
        const { preview_hash, cancel_at_period_end: atPeriodEnd, cancellation_details: details } = call.body
        if (preview_hash !== undefined)
          requirePreview(preview_hash, await cancelPreview(within, { ...which, mode: 'period_end' }))
        const scheduled = scheduleCancel(within, { ...which, atPeriodEnd, comment: details?.comment })
        return changed(services, tx, scheduled, { cancel_at_period_end: atPeriodEnd })
      },
    }),
  ]
}
