import type { GooglePayKey } from '../../../contract/dashboard/google-pay-keys-api.ts'
import type { AccessContext } from '../../access/shared/context.ts'
import type { Tx } from '../../db/transaction.ts'
import { type KeyContext, retireRecipientKey, rotateRecipientKey } from '../../google-pay/change-recipient-keys.ts'
import { type RecipientKey, recipientKeyView } from '../../google-pay/recipient-key.ts'
import { listRecipientKeys } from '../../google-pay/recipient-key-queries.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { wholeList } from '../list-object.ts'

const STEP_UP = 'google_pay_key'

/**
 * Returns the routes for the keys of a business that has its own merchant id at Google (GPY-10). Private keys are never
 * shown.
 */
export function googlePayKeyRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  const { db, environment } = context
  return [
    dashboard.read('GET /google_pay_keys', {
      permission: 'settings.read',
      async handle({ member }) {
        const keys = await listRecipientKeys(db, { businessId: member.business.id, environment })
        return { body: wholeList(keys, keyObject) }
      },
    }),
    dashboard.writeOnce('POST /google_pay_keys', {
      permission: 'settings.write',
      action: 'google_pay_key.create',
      stepUp: STEP_UP,
      // No response contains the private key.
      async handle({ member }, tx) {
        const key = await rotateRecipientKey(inside(context, tx), { businessId: member.business.id })
        return { status: 201, body: keyObject(key), audit: auditOf(key) }
      },
    }),
    dashboard.write('POST /google_pay_keys/{id}/retire', {
      permission: 'settings.write',
      action: 'google_pay_key.retire',
      stepUp: STEP_UP,
      async handle({ member, params: { id = '' } }, tx) {
        if (!isUuid(id)) throw new ApiError('not_found', { message: 'No such active key' })
        const key = await retireRecipientKey(inside(context, tx), { businessId: member.business.id }, id)
        return { body: keyObject(key), audit: auditOf(key) }
      },
    }),
  ]
}

function inside({ keyring, clock, environment }: AccessContext, db: Tx): KeyContext {
  return { db, keyring, clock, environment }
}

const auditOf = (key: RecipientKey) => ({
  object: { type: 'google_pay_key', id: key.id },
  after: recipientKeyView(key),
})

function keyObject({ id, publicKey, createdAt, retiredAt }: RecipientKey): GooglePayKey {
  return {
    id,
    object: 'google_pay_key',
    public_key: publicKey,
    status: retiredAt === null ? 'active' : 'retired',
    created: epochSeconds(createdAt),
    retired_at: retiredAt && epochSeconds(retiredAt),
  }
}
