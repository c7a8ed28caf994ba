import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../lib/keyring.ts'
import { openText, sealText } from '../../lib/sealed-text.ts'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A secret as Standard Webhooks has them (EVT-7). */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Seals with the current master key. */
export const sealWebhookSecret = (keyring: Keyring, secret: string): Buffer =>
  sealText(keyring, 'seal webhook secrets', secret)

/** @throws when it was sealed with a master key that is no longer configured, or was modified */
export const openWebhookSecret = (keyring: Keyring, sealed: Uint8Array): string =>
  openText(keyring, 'seal webhook secrets', sealed)
