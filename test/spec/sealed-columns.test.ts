import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { totpRow } from '../../server/access/factors/totp.ts'
import { linkOfLetter, sealLink } from '../../server/emails/letter-link.ts'
import { openCode, sealCode } from '../../server/events/notification.ts'
import { openCredentials, sealCredentials } from '../../server/events/webhooks/basic-auth.ts'
import { openWebhookSecret, sealWebhookSecret } from '../../server/events/webhooks/webhook-secret.ts'
import { makeKeyPair, openPrivateKey, sealPrivateKey } from '../../server/google-pay/recipient-key.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { openText, sealText } from '../../server/lib/sealed-text.ts'
import { openCard, openValue, sealCard, sealValue } from '../../server/three-d-secure/sealed-card.ts'
import { open, seal } from '../../server/vault/envelope.ts'
import { Secret } from '../../server/vault/secret.ts'
import { openService, type TestService } from '../support/service.ts'

// SEC-110: a sealed text can only be opened in the row for which it was sealed.

const keyring = createKeyring([randomBytes(32)])
const { privateKey } = makeKeyPair()
const vaultKey = randomBytes(32)
const subscriptionLink = () => 'none'
const endpointOf = (id: string) => ({ businessId: 'business', id })
const targetOf = (id: string) => ({ ...endpointOf(id), url: 'https://shop.example/w' })

interface Sealing {
  seal(row: string): Buffer
  open(row: string, sealed: Buffer): unknown
}

const endpointSecret: Sealing = {
  seal: (row) => sealWebhookSecret(keyring, endpointOf(row), 'whsec_x'),
  open: (row, sealed) => openWebhookSecret(keyring, endpointOf(row), sealed),
}
const vaulted: Sealing = {
  seal: (row) => seal(vaultKey, Buffer.from('content'), row),
  open: (row, sealed) => open(vaultKey, sealed, row),
}

/** Every column with a text that the service opens, by `table.column`. */
const SEALED: Record<string, Sealing> = {
  'webhook_endpoint.secret': endpointSecret,
  'webhook_endpoint.previous_secret': endpointSecret,
  'webhook_endpoint.basic_auth': {
    seal: (row) => sealCredentials(keyring, targetOf(row), 'me:key'),
    open: (row, sealed) => openCredentials(keyring, targetOf(row), sealed),
  },
  'totp.secret': {
    seal: (row) => sealText(keyring, 'seal second factors', totpRow(row), 'secret'),
    open: (row, sealed) => openText(keyring, 'seal second factors', totpRow(row), sealed),
  },
  'authentication.sealed_card': {
    seal: (row) =>
      sealCard(keyring, row, { number: new Secret('4000000000000002'), expMonth: 1, expYear: 2030, name: null }),
    open: (row, sealed) => openCard(keyring, row, sealed),
  },
  'authentication.sealed_value': {
    seal: (row) => sealValue(keyring, row, new Secret('value')),
    open: (row, sealed) => openValue(keyring, row, sealed),
  },
  'google_pay_key.sealed_private_key': {
    seal: (row) => sealPrivateKey(keyring, row, privateKey),
    open: (row, sealed) => openPrivateKey(keyring, { id: row, sealedPrivateKey: sealed }),
  },
  'letter.sealed_link': {
    seal: (row) => sealLink(keyring, endpointOf(row), 'https://shop.example/dashboard/reset#code'),
    open: (row, sealed) =>
      linkOfLetter({ keyring, subscriptionLink }, { ...endpointOf(row), linkId: null, sealedLink: sealed }),
  },
  'vault_card.number_ciphertext': vaulted,
  'vault_key.wrapped_key': vaulted,
}

/** Columns that are never opened: hashes, files, and public data. */
const OPENED_BY_NOBODY = /hash|fingerprint|public_key|credential_id|\.bytes$/

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

/** Sealed texts inside a column of other data. */
const INSIDE_OTHERS: Record<string, Sealing> = {
  'the code of a notification': {
    seal: (row) => Buffer.from(sealCode(keyring, endpointOf(row), 'code')),
    open: (row, sealed) => openCode(keyring, endpointOf(row), sealed.toString()),
  },
}

describe('A sealed column', () => {
  test('is every column of bytes but for hashes, files and public keys', async () => {
    const { rows } = await sql<{ name: string }>`select table_name || '.' || column_name as name
      from information_schema.columns where table_schema = 'public' and data_type = 'bytea' order by 1`.execute(
      service.app.services.db,
    )
    const sealed = rows.map(({ name }) => name).filter((name) => !OPENED_BY_NOBODY.test(name))
    deepEqual(sealed, Object.keys(SEALED).sort())
  })

  for (const [column, { seal: sealed, open: opened }] of Object.entries({ ...SEALED, ...INSIDE_OTHERS }))
    test(`opens in its own row alone: ${column} (SEC-110)`, () => {
      for (let pair = 0; pair < 20; pair++) {
        const [own, other] = [randomUUID(), randomUUID()]
        const text = sealed(own)
        ok(opened(own, text))
        throws(() => opened(other, text))
        throws(() => opened('', text))
      }
    })

  test('of one kind opens in no column of another kind with the same id', () => {
    const kinds = [...new Set(Object.values({ ...SEALED, ...INSIDE_OTHERS }))]
    const id = randomUUID()
    let tried = 0
    for (const one of kinds)
      for (const other of kinds) {
        if (one === other) continue
        tried += 1
        throws(() => other.open(id, one.seal(id)))
      }
    equal(tried, kinds.length * (kinds.length - 1))
  })
})
