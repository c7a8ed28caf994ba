import type { WebhookEndpointUpdate } from '../../../contract/webhook-endpoint.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { sealCredentials } from './basic-auth.ts'
import { readTarget } from './create-endpoint.ts'
import { cancelDeliveries } from './endpoint-delivery-queries.ts'
import type { TargetRules } from './target-address.ts'
import { noSuchEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts'
import { deleteEndpoint, findEndpoint, lockEndpoint, updateEndpoint } from './webhook-endpoint-queries.ts'

interface ChangeServices {
  db: Db
  clock: Clock
  keyring: Keyring
  webhookTargets: TargetRules
}

interface Change {
  businessId: string
  id: string
  change: WebhookEndpointUpdate
}

/**
 * Changes the given fields. Deliveries that wait for an endpoint are canceled when it is disabled, so that nothing is
 * sent much later; a redelivery sends them (EVT-20).
 *
 * @throws ApiError `not_found`, `validation_failed`
 */
export async function changeEndpoint(services: ChangeServices, given: Change): Promise<WebhookEndpoint> {
  const { businessId, id, change } = given
  const target = change.url === undefined ? null : readTarget(change.url, services.webhookTargets)
  if (change.status === 'enabled') await cancelForgotten(services, given)
  const endpoint = await writeChange(services, given, target)
  if (change.status === 'disabled') await cancelDeliveries(services.db, { businessId, id, at: services.clock.now() })
  return endpoint
}

function writeChange(
  { db, clock, keyring }: ChangeServices,
  { businessId, id, change }: Change,
  target: ReturnType<typeof readTarget> | null,
): Promise<WebhookEndpoint> {
  return transaction(db, async (tx) => {
    const before = await lockEndpoint(tx, businessId, id)
    if (!before) throw noSuchEndpoint('id')
    const url = target?.url ?? before.url
    const credentials = target?.credentials ?? null
    const given = credentials === null ? null : sealCredentials(keyring, { businessId, id, url }, credentials)
    const basicAuth = changedBasicAuth(before, { url, given, wanted: change.basic_auth })
    const endpoint = { ...changed(before, change), url, basicAuth }
    await updateEndpoint(tx, endpoint, clock.now())
    return endpoint
  })
}

interface WantedBasicAuth {
  url: string
  /** Credentials of the new URL, sealed. */
  given: Buffer | null
  wanted: boolean | undefined
}

/**
 * Returns the new credentials. A URL without user name and password keeps the existing ones, unless it leads to another
 * origin: a password is never sent to a host that it was not given for.
 *
 * @throws ApiError `validation_failed` if credentials are wanted and there are none, or vice versa
 */
function changedBasicAuth(before: WebhookEndpoint, { url, given, wanted }: WantedBasicAuth): Buffer | null {
  if (wanted === false) {
    if (given !== null) throw invalidField('basic_auth', 'must not be false while url has a user name or a password')
    return null
  }
  const isSameOrigin = new URL(url).origin === new URL(before.url).origin
  const basicAuth = given ?? (isSameOrigin ? before.basicAuth : null)
  if (wanted === true && basicAuth === null) {
    throw invalidField('basic_auth', 'needs a url with a user name and a password')
  }
  return basicAuth
}

/**
 * Cancels, before an endpoint is enabled again, what has been waiting since it was disabled: a process may have ended
 * before it had canceled everything, or an event may have been recorded at that moment.
 */
async function cancelForgotten({ db, clock }: ChangeServices, { businessId, id }: Change): Promise<void> {
  const endpoint = await findEndpoint(db, businessId, id)
  if (endpoint?.status === 'disabled') await cancelDeliveries(db, { businessId, id, at: clock.now() })
}

/** Applies the change; absent fields stay the same. */
function changed(before: WebhookEndpoint, { description, enabled_events, ordered, status }: WebhookEndpointUpdate) {
  return {
    ...before,
    ...(description !== undefined && { description }),
    ...(enabled_events !== undefined && { enabledEvents: enabled_events }),
    ...(ordered !== undefined && { ordered }),
    ...(status !== undefined && status !== before.status && STATES[status]),
  }
}

const STATES = {
  enabled: { status: 'enabled', disabledReason: null, failingSince: null },
  disabled: { status: 'disabled', disabledReason: 'manual' },
} as const

/**
 * Deletes an endpoint and cancels what waits for it. Repeating this changes nothing.
 *
 * @throws ApiError `not_found` for an endpoint that never existed
 */
export async function removeEndpoint(
  { db, clock }: Pick<ChangeServices, 'db' | 'clock'>,
  { businessId, id }: { businessId: string; id: string },
): Promise<void> {
  const at = clock.now()
  if (!(await deleteEndpoint(db, { businessId, id, at }))) throw noSuchEndpoint('id')
  await cancelDeliveries(db, { businessId, id, at })
}
