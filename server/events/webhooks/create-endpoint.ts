import { WEBHOOK_ENDPOINTS_MAX, type WebhookEndpointCreate } from '../../../contract/webhook-endpoint.ts'
import { lockBusiness } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { type SplitUrl, sealCredentials, splitUrl } from './basic-auth.ts'
import { checkTargetUrl, type TargetRules } from './target-address.ts'
import type { WebhookEndpoint } from './webhook-endpoint.ts'
import { countEndpoints, insertEndpoint } from './webhook-endpoint-queries.ts'
import { newWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

export interface EndpointServices {
  db: Db
  clock: Clock
  keyring: Keyring
  webhookTargets: TargetRules
}

/**
 * Creates a webhook endpoint.
 *
 * @returns the endpoint with its secret, which is never returned again
 * @throws ApiError `validation_failed`; `conflict` if the business has 10 endpoints
 */
export async function createEndpoint(
  { db, clock, keyring, webhookTargets }: EndpointServices,
  { businessId, input }: { businessId: string; input: WebhookEndpointCreate },
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const { description = null, enabled_events, ordered } = input
  const id = newId()
  const { url, credentials } = readTarget(input.url, webhookTargets)
  const endpoint: WebhookEndpoint = {
    businessId,
    id,
    url,
    basicAuth: credentials === null ? null : sealCredentials(keyring, { businessId, id, url }, credentials),
    description,
    enabledEvents: enabled_events,
    ordered,
    status: 'enabled',
    disabledReason: null,
    failingSince: null,
    createdAt: clock.now(),
  }
  const secret = newWebhookSecret()
  await transaction(db, async (tx) => {
    // Concurrent creates are counted one after another.
    await lockBusiness(tx, businessId)
    if ((await countEndpoints(tx, businessId)) >= WEBHOOK_ENDPOINTS_MAX) throw tooMany()
    await insertEndpoint(tx, endpoint, sealWebhookSecret(keyring, endpoint, secret))
  })
  return { endpoint, secret }
}

/**
 * Reads and checks the URL of an endpoint.
 *
 * @param text may have a user name and a password, which are not part of the result's `url`
 * @throws ApiError `validation_failed` for a URL that may not receive webhooks (EVT-10)
 */
export function readTarget(text: string, rules: TargetRules): Pick<SplitUrl, 'url' | 'credentials'> {
  const { url, credentials, refusal } = splitUrl(text)
  const reason = refusal ?? checkTargetUrl(url, rules)
  if (reason !== null) throw invalidField('url', reason)
  return { url, credentials }
}

const tooMany = () =>
  new ApiError('conflict', {
    message: `A business has at most ${WEBHOOK_ENDPOINTS_MAX} webhook endpoints: change or delete one of them`,
  })
