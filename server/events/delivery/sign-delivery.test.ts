import { deepEqual, doesNotThrow, equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { addSeconds } from '../../lib/clock.ts'
import { createKeyring } from '../../lib/keyring.ts'
import { newWebhookSecret, sealWebhookSecret } from '../webhooks/webhook-secret.ts'
import { signatureHeaders } from './sign-delivery.ts'

// EVT-7.

const keyring = createKeyring([Buffer.alloc(32, 1)])
const endpoint = { businessId: 'business', endpointId: 'endpoint' }
const seal = (secret: string) => sealWebhookSecret(keyring, { businessId: 'business', id: 'endpoint' }, secret)

describe('The signature of a webhook', () => {
  test('is that of the vector that the public libraries test', () => {
    const secret = seal('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    const delivery = {
      ...endpoint,
      eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      secret,
      previousSecret: null,
      previousSecretUntil: null,
    }
    deepEqual(signatureHeaders(keyring, delivery, new Date(1_614_265_330_999), '{"test": 2432232314}'), {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is made with both secrets while one rotates, and with the new one alone afterwards', () => {
    const [secret, previous] = [newWebhookSecret(), newWebhookSecret()]
    const now = new Date()
    const delivery = {
      ...endpoint,
      eventId: 'event',
      secret: seal(secret),
      previousSecret: seal(previous),
      previousSecretUntil: addSeconds(now, 1),
    }
    const both = signatureHeaders(keyring, delivery, now, '{}')
    for (const holder of [secret, previous]) doesNotThrow(() => new Webhook(holder).verify('{}', both))
    const one = signatureHeaders(keyring, delivery, addSeconds(now, 1), '{}')
    doesNotThrow(() => new Webhook(secret).verify('{}', one))
    throws(() => new Webhook(previous).verify('{}', one))
    equal(one['webhook-signature']?.split(' ').length, 1)
  })
})
