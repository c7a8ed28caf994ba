import {
  PausePreviewRequest,
  PauseRequest,
  SubscriptionCancel,
  SubscriptionCancelQuery,
  SubscriptionUpdate,
} from '../../../contract/subscription.ts'
import type { KeyCaller } from '../../access/keys/api-key.ts'
import type { MerchantApi } from '../../access/keys/merchant-api.ts'
import { type Route, route } from '../../http/route.ts'
import type { LoadedSubscription } from '../subscription.ts'
import { readObject } from '../subscription-details.ts'
import { cancelSubscription } from './cancel-subscription.ts'
import type { LifecycleServices, WhichSubscription } from './change-subscription.ts'
import { LIFECYCLE_DOCUMENTS as documents } from './lifecycle-openapi.ts'
import { pauseSubscription } from './pause-subscription.ts'
import { previewPause } from './preview-pause.ts'
import { undoPause } from './undo-pause.ts'
import { updateSubscription } from './update-subscription.ts'

/** The routes that cancel and pause subscriptions. */
export function lifecycleRoutes(services: LifecycleServices, { shared }: Pick<MerchantApi, 'shared'>): Route[] {
  const shown = async (changed: Promise<LoadedSubscription>) => ({ body: await readObject(services, await changed) })
  return [...cancelRoutes(services, shared, shown), ...pauseRoutes(services, shared, shown)]
}

type Shared = MerchantApi['shared']
type Shown = (changed: Promise<LoadedSubscription>) => Promise<{ body: object }>

const whichOf = ({ caller, params }: { caller: KeyCaller; params: Record<string, string> }): WhichSubscription => ({
  business: caller.business,
  id: params.id ?? '',
})

function cancelRoutes(services: LifecycleServices, shared: Shared, shown: Shown): Route[] {
  return [
    route({
      ...shared,
      method: 'DELETE',
      path: '/api/v1/subscriptions/{id}',
      scope: 'subscriptions:write',
      body: SubscriptionCancel,
      query: SubscriptionCancelQuery,
      document: documents.cancel,
      handle: (call) =>
        shown(cancelSubscription(services, { ...whichOf(call), reason: call.body.reason ?? call.query.reason })),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/subscriptions/{id}',
      scope: 'subscriptions:write',
      body: SubscriptionUpdate,
      document: documents.update,
      handle: (call) => shown(updateSubscription(services, { ...whichOf(call), body: call.body })),
    }),
  ]
}

function pauseRoutes(services: LifecycleServices, shared: Shared, shown: Shown): Route[] {
  return [
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/subscriptions/{id}/pause/preview',
      scope: 'subscriptions:read',
      body: PausePreviewRequest,
      document: documents.previewPause,
      handle: async (call) => ({ body: await previewPause(services, { ...whichOf(call), mode: call.body.mode }) }),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/subscriptions/{id}/pause',
      scope: 'subscriptions:write',
      body: PauseRequest,
      document: documents.pause,
      handle: (call) => shown(pauseSubscription(services, { ...whichOf(call), body: call.body })),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/api/v1/subscriptions/{id}/pause-at-period-end/undo',
      scope: 'subscriptions:write',
      document: documents.undoPause,
      handle: (call) => shown(undoPause(services, whichOf(call))),
    }),
  ]
}
