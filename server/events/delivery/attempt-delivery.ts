import type { Dispatcher } from 'undici'
import { assertNoTransaction } from '../../db/transaction.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { type EventReader, eventObject } from '../event-object.ts'
import { basicAuthorization, credentialTexts, openCredentials } from '../webhooks/basic-auth.ts'
import { checkTargetUrl } from '../webhooks/target-address.ts'
import { WEBHOOK_HEADERS } from '../webhooks/webhook-headers.ts'
import type { Attempt, ClaimedDelivery, DeliveryServices } from './delivery.ts'
import { keptResponse } from './kept-response.ts'
import { postWebhook } from './post-webhook.ts'
import { signatureHeaders } from './sign-delivery.ts'

/**
 * Posts a delivery once. Each attempt sends the same bytes with a new signature. Never rejects because of the receiver.
 */
export async function attemptDelivery(
  services: DeliveryServices,
  dispatcher: Dispatcher,
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  assertNoTransaction('A webhook')
  const { clock, keyring, timings, webhookTargets } = services
  const attemptedAt = clock.now()
  const beganMs = performance.now()
  const send = async () => {
    const refusal = checkTargetUrl(delivery.url, webhookTargets)
    if (refusal !== null) return { response: null, error: `The URL ${refusal}` }
    const body = bodyOf(delivery, services)
    const credentials = credentialsOf(keyring, delivery)
    const headers = {
      ...WEBHOOK_HEADERS,
      ...(credentials !== null && { authorization: basicAuthorization(credentials) }),
      ...signatureHeaders(keyring, delivery, attemptedAt, body),
    }
    const posted = await postWebhook(dispatcher, {
      ...{ url: new URL(delivery.url), headers, body, timeoutMs: timings.timeoutMs },
    })
    const secrets = [...linkTokensIn(body), ...(credentials === null ? [] : credentialTexts(credentials))]
    return { ...posted, response: posted.response && keptResponse(posted.response, secrets) }
  }
  const sent = await send()
  return { attemptedAt, durationMs: Math.round(performance.now() - beganMs), ...sent }
}

/** Finds the link tokens of a body, because a receiver under development may echo what it was sent. */
const linkTokensIn = (body: string) =>
  [...body.matchAll(/\/customer\/checkout\/([\w-]{64})/g)].map(([, token]) => token ?? '')

const credentialsOf = (keyring: Keyring, { businessId, endpointId: id, url, basicAuth }: ClaimedDelivery) =>
  basicAuth && openCredentials(keyring, { businessId, id, url }, basicAuth)

function bodyOf(delivery: ClaimedDelivery, reader: EventReader): string {
  const { businessId, eventId: id, type, objectId, sequence, data, eventCreatedAt: createdAt } = delivery
  return JSON.stringify(eventObject({ businessId, id, type, objectId, sequence, data, createdAt }, reader))
}
