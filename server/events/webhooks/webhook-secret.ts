import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../lib/keyring.ts'
import { openText, sealText } from '../../lib/sealed-text.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** Returns a new secret in the format of Standard Webhooks (EVT-7). */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Names the row that a secret is sealed for. */
interface OfEndpoint {
  businessId: string
  id: string
}

const rowOf = ({ businessId, id }: OfEndpoint) => `webhook_endpoint ${businessId} ${id}`

/** Seals with the current master key. */
export const sealWebhookSecret = (keyring: Keyring, endpoint: OfEndpoint, secret: string): Buffer =>
  sealText(keyring, 'seal webhook secrets', rowOf(endpoint), secret)

/** @throws if the secret belongs to another endpoint, was modified, or its master key is no longer configured */
export const openWebhookSecret = (keyring: Keyring, endpoint: OfEndpoint, sealed: Uint8Array): string =>
  openText(keyring, 'seal webhook secrets', rowOf(endpoint), sealed)
