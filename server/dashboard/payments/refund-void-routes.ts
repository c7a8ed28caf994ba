import {
  DashboardRefundBody,
  DashboardVoidBody,
  RefundPreviewBody,
  type VoidResult,
} from '../../../contract/dashboard/payments-api.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { Db } from '../../db/connection.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import type { Limit, Route } from '../../http/route.ts'
import type { Cents } from '../../lib/money.ts'
import { findOperation } from '../../payments/operation-queries.ts'
import { refundObject } from '../../payments/refunds/refund.ts'
import { refundPayment } from '../../payments/refunds/refund-payment.ts'
import { findRefund } from '../../payments/refunds/refund-queries.ts'
import type { SendingServices } from '../../payments/services.ts'
import { voidPayment } from '../../payments/voids/void-payment.ts'
import type { DashboardCall } from '../dashboard-call.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requirePreview } from '../preview-hash.ts'
import { hasExceeded, isAboveLimit, OVER_LIMIT, previewRefund, previewVoid, refundedAmountOf } from './refund-void.ts'

type Services = SendingServices & { makeRateLimiter: MakeRateLimiter }

/** Returns the routes that refund or void any payment: preview and commit (DSH-17, DSH-28, DSH-34). */
export function refundAndVoidRoutes(dashboard: DashboardRoutes, services: Services): Route[] {
  const perMinute = services.makeRateLimiter({ name: 'dashboard refund', points: 5, seconds: 60 })
  const limits: Limit<Member>[] = [{ limiter: perMinute, key: (_request, { session }) => session.userId }]
  const context = { ...dashboard }
  /** Returns why the person must prove who they are; refuses those who may not exceed the limit. */
  const stepUp = async (call: DashboardCall<Amount>) => {
    const { member } = call
    if (!(await isAboveLimit(context, member, await amountOf(dashboard.db, call)))) return null
    await dashboard.requirePermission(member, OVER_LIMIT)
    return 'refund_over_limit'
  }
  return [
    dashboard.preview('POST /payments/{id}/refunds/preview', {
      permission: 'payments.refund',
      body: RefundPreviewBody,
      handle: async ({ member, params, body }) => ({
        body: await previewRefund(context, member, { id: params.id ?? '', amount: body.amount }),
      }),
    }),
    dashboard.once('POST /payments/{id}/refunds', {
      permission: 'payments.refund',
      action: 'payment.refund',
      body: DashboardRefundBody,
      limits,
      stepUp,
      asks: async (call, operation, tx) => requested(call, operation, await amountOf(tx, call)),
      exceedsLimit: ({ member }, tx) => hasExceeded({ ...context, db: tx }, member),
      async handle({ member, params, body }, id) {
        const preview = await previewRefund(context, member, { id: params.id ?? '', amount: body.amount })
        requirePreview(body.preview_hash, preview)
        const order = { business: member.business, paymentId: preview.payment, amount: preview.amount as Cents, id }
        return { status: 201, body: refundObject(await refundPayment(services, order)) }
      },
      async recover({ member }, id) {
        const refund = await findRefund(dashboard.db, member.business.id, id)
        return refund ? { status: 201, body: refundObject(refund) } : null
      },
    }),
    ...voidRoutes(dashboard, services, { limits, stepUp }),
  ]
}

/** Body with the amount to refund, in cents; absent for the whole rest. */
interface Amount {
  amount?: number
}

const amountOf = (db: Db, { member, params, body }: DashboardCall<Amount>) =>
  refundedAmountOf(db, member, { id: params.id ?? '', amount: body.amount })

/** Returns the entry for the audit log. Its rows also add up to what a person refunds and voids in a day. */
function requested({ params, body }: DashboardCall<{ preview_hash?: string }>, operation: string, amount: Cents) {
  const { preview_hash: _hash, ...asked } = body
  return { object: { type: 'payment', id: params.id ?? '' }, after: { operation, ...asked, amount } }
}

interface Shared {
  limits: Limit<Member>[]
  stepUp(call: DashboardCall<Amount>): Promise<string | null>
}

function voidRoutes(dashboard: DashboardRoutes, services: Services, { limits, stepUp }: Shared): Route[] {
  const context = { ...dashboard }
  return [
    dashboard.preview('POST /payments/{id}/voids/preview', {
      permission: 'payments.void',
      handle: async ({ member, params }) => ({ body: await previewVoid(context, member, params.id ?? '') }),
    }),
    dashboard.once('POST /payments/{id}/voids', {
      permission: 'payments.void',
      action: 'payment.void',
      body: DashboardVoidBody,
      limits,
      stepUp: (call) => stepUp(call as DashboardCall<{ amount?: number }>),
      asks: async (call, operation, tx) =>
        requested(call, operation, await amountOf(tx, call as DashboardCall<Amount>)),
      exceedsLimit: ({ member }, tx) => hasExceeded({ ...context, db: tx }, member),
      async handle({ member, params, body }, id) {
        const preview = await previewVoid(context, member, params.id ?? '')
        requirePreview(body.preview_hash, preview)
        await voidPayment(services, { business: member.business, paymentId: preview.payment, id })
        return { body: voided(id, preview.payment) }
      },
      recover: async ({ member, params }, id) => {
        const result = await findVoid(dashboard.db, member.business.id, { id, payment: params.id ?? '' })
        return result && { body: result }
      },
    }),
  ]
}

const voided = (id: string, payment: string): VoidResult => ({
  ...{ id, object: 'void', payment, status: 'succeeded' },
  ...{ failure_reason: null, message: null },
})

/** Finds the outcome of a void that was started; `null` if none was. */
async function findVoid(
  db: Db,
  businessId: string,
  { id, payment }: { id: string; payment: string },
): Promise<VoidResult | null> {
  const operation = await findOperation(db, businessId, id)
  switch (operation?.state) {
    case undefined:
      return null
    case 'APPROVED':
      return voided(id, payment)
    case 'DECLINED':
      return { ...voided(id, payment), status: 'failed', failure_reason: 'declined' }
    case 'NOT_SENT':
    case 'NOT_CHARGED':
      return { ...voided(id, payment), status: 'failed', failure_reason: 'gateway_unavailable' }
    default:
      return { ...voided(id, payment), status: 'pending' }
  }
}
