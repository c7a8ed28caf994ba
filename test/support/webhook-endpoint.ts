import type { Db } from '../../server/db/connection.ts'
import type { WebhookEndpoint } from '../../server/events/webhooks/webhook-endpoint.ts'
import { insertEndpoint } from '../../server/events/webhooks/webhook-endpoint-queries.ts'
import { newWebhookSecret, sealWebhookSecret } from '../../server/events/webhooks/webhook-secret.ts'
import { newId } from '../../server/lib/ids.ts'
import type { Keyring } from '../../server/lib/keyring.ts'

export interface MadeEndpoint {
  id: string
  secret: string
}

/** Creates an endpoint that receives all events, without the API. */
export async function makeEndpoint(
  { db, keyring }: { db: Db; keyring: Keyring },
  given: Pick<WebhookEndpoint, 'businessId' | 'url'> & Partial<WebhookEndpoint>,
): Promise<MadeEndpoint> {
  const secret = newWebhookSecret()
  const endpoint: WebhookEndpoint = {
    id: newId(),
    basicAuth: null,
    description: null,
    enabledEvents: ['*'],
    ordered: false,
    status: 'enabled',
    disabledReason: null,
    failingSince: null,
    createdAt: new Date(),
    ...given,
  }
  await insertEndpoint(db, endpoint, sealWebhookSecret(keyring, endpoint, secret))
  return { id: endpoint.id, secret }
}
