import { Webhook } from 'standardwebhooks'
import type { Keyring } from '../../lib/keyring.ts'
import { openWebhookSecret } from '../webhooks/webhook-secret.ts'
import type { ClaimedDelivery } from './delivery.ts'

type Signed = Pick<
  ClaimedDelivery,
  'businessId' | 'endpointId' | 'eventId' | 'secret' | 'previousSecret' | 'previousSecretUntil'
>

/**
 * Returns the headers of Standard Webhooks. During a rotation, both secrets sign.
 *
 * @see EVT-7
 */
export function signatureHeaders(keyring: Keyring, delivery: Signed, at: Date, body: string): Record<string, string> {
  const { businessId, endpointId: id, eventId, secret, previousSecret, previousSecretUntil } = delivery
  const stillSigns = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at
  const secrets = stillSigns ? [secret, previousSecret] : [secret]
  const sign = (sealed: Buffer) =>
    new Webhook(openWebhookSecret(keyring, { businessId, id }, sealed)).sign(eventId, at, body)
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map(sign).join(' '),
  }
}
