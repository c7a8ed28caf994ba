import type { Dispatcher } from 'undici'
import { assertNoTransaction } from '../../db/transaction.ts'
import { eventObject } from '../event-object.ts'
import { checkTargetUrl } from '../webhooks/target-address.ts'
import { WEBHOOK_HEADERS } from '../webhooks/webhook-headers.ts'
import type { Attempt, ClaimedDelivery, DeliveryServices } from './delivery.ts'
import { postWebhook } from './post-webhook.ts'
import { signatureHeaders } from './sign-delivery.ts'

/** Posts a delivery once. Each attempt sends the same bytes, signed anew. Never rejects because of the receiver. */
export async function attemptDelivery(
  { clock, keyring, environment, timings, webhookTargets }: DeliveryServices,
  dispatcher: Dispatcher,
  delivery: ClaimedDelivery,
): Promise<Attempt> {
  assertNoTransaction('A webhook')
  const attemptedAt = clock.now()
  const beganMs = performance.now()
  const send = async () => {
    const refusal = checkTargetUrl(delivery.url, webhookTargets)
    if (refusal !== null) return { response: null, error: `The URL ${refusal}` }
    const body = bodyOf(delivery, environment)
    const headers = { ...WEBHOOK_HEADERS, ...signatureHeaders(keyring, delivery, attemptedAt, body) }
    return postWebhook(dispatcher, { url: new URL(delivery.url), headers, body, timeoutMs: timings.timeoutMs })
  }
  const sent = await send()
  return { attemptedAt, durationMs: Math.round(performance.now() - beganMs), ...sent }
}

function bodyOf(delivery: ClaimedDelivery, environment: DeliveryServices['environment']): string {
  const { businessId, eventId: id, type, objectId, sequence, data, eventCreatedAt: createdAt } = delivery
  return JSON.stringify(eventObject({ businessId, id, type, objectId, sequence, data, createdAt }, environment))
}
