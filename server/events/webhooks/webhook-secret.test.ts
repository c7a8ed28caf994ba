import { deepEqual, equal, match, notEqual, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createKeyring } from '../../lib/keyring.ts'
import { newWebhookSecret, openWebhookSecret, sealWebhookSecret } from './webhook-secret.ts'

// EVT-7, EVT-12.

const endpoint = { businessId: 'business', id: 'endpoint' }
const [old, current] = [randomBytes(32), randomBytes(32)]

describe('The secret of a webhook endpoint', () => {
  test('is whsec_ and the base64 of 32 random bytes', () => {
    const secret = newWebhookSecret()
    match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    equal(Buffer.from(secret.slice(6), 'base64').length, 32)
    notEqual(secret, newWebhookSecret())
  })

  test('is opened by the master key that sealed it, also when that is no longer the current one', () => {
    const secret = newWebhookSecret()
    const sealed = sealWebhookSecret(createKeyring([old]), endpoint, secret)
    equal(openWebhookSecret(createKeyring([current, old]), endpoint, sealed), secret)
    throws(() => openWebhookSecret(createKeyring([current]), endpoint, sealed), /No master key with id/)
  })

  test('cannot be read from what is stored, nor modified', () => {
    const keyring = createKeyring([current])
    const secret = newWebhookSecret()
    const sealed = sealWebhookSecret(keyring, endpoint, secret)
    deepEqual([sealed.includes(secret), sealed.includes(Buffer.from(secret.slice(6), 'base64'))], [false, false])
    sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1
    throws(() => openWebhookSecret(keyring, endpoint, sealed))
  })
})
