import { addSeconds } from '../../lib/clock.ts'
import type { EndpointServices } from './create-endpoint.ts'
import { noSuchEndpoint, type WebhookEndpoint } from './webhook-endpoint.ts'
import { findEndpoint, rotateSecret } from './webhook-endpoint-queries.ts'
import { newWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

/** How long both secrets sign (EVT-7). */
const BOTH_SECONDS = 24 * 3_600

/**
 * Gives an endpoint a new secret, which is never returned again.
 *
 * @throws ApiError `not_found`
 */
export async function rotateEndpointSecret(
  { db, clock, keyring }: Omit<EndpointServices, 'webhookTargets'>,
  { businessId, id }: { businessId: string; id: string },
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const secret = newWebhookSecret()
  const at = clock.now()
  const previousUntil = addSeconds(at, BOTH_SECONDS)
  const sealed = sealWebhookSecret(keyring, { businessId, id }, secret)
  const isRotated = await rotateSecret(db, { businessId, id, secret: sealed, previousUntil, at })
  const endpoint = isRotated && (await findEndpoint(db, businessId, id))
  if (!endpoint) throw noSuchEndpoint('id')
  return { endpoint, secret }
}
