import { deepEqual, equal, match, notDeepEqual, notEqual, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { systemClock as clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { createKeyring } from '../lib/keyring.ts'
import { Secret } from './secret.ts'
import { createVault, type Vault } from './vault.ts'

const NUMBER = '4242424242424242'
const number = new Secret(NUMBER)
const [master, newMaster] = [randomBytes(32), randomBytes(32)]

let created: TestDatabase
let database: Database
let business: string
let vault: Vault

before(async () => {
  created = await createTestDatabase()
  database = connect({ url: created.url })
})
after(async () => {
  await database.close()
  await created.drop()
})
beforeEach(async () => {
  business = await addBusiness()
  vault = processWith(master)
})

/** Returns a vault with its own key cache, like the vault of another process. */
const processWith = (...masters: Buffer[]) => createVault({ db: database.db, keyring: createKeyring(masters), clock })

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values)

async function addBusiness(): Promise<string> {
  const id = newId()
  await query(
    `insert into business (id, name, currency, country, time_zone, created_at) values ($1, 'B', 'USD', 'US', 'UTC', now())`,
    [id],
  )
  return id
}

/** Seals a number and inserts it into `vault_card`. */
async function store(into: Vault, owner = business, secret = number): Promise<string> {
  const card = await into.seal(owner, secret)
  await query(
    `insert into vault_card (business_id, id, key_id, number_ciphertext, fingerprint, fingerprint_key_id, created_at)
     values ($1, $2, $3, $4, $5, $6, now())`,
    [owner, card.id, card.key_id, card.number_ciphertext, card.fingerprint, card.fingerprint_key_id],
  )
  return card.id
}

const keysOf = async (owner: string) =>
  (await query('select id, master_key_id, wrapped_key from vault_key where business_id = $1', [owner])).rows

describe('A card number in the vault', () => {
  test('opens to the same number, in this process and in another', async () => {
    const id = await store(vault)
    equal((await vault.open(business, id)).reveal(), NUMBER)
    equal((await processWith(master).open(business, id)).reveal(), NUMBER)
  })

  test('opens from what was read ahead, which is of any business, by its own key alone', async () => {
    const other = await addBusiness()
    const cards = [
      { businessId: business, id: await store(vault) },
      { businessId: other, id: await store(vault, other, new Secret('5555555555554444')) },
    ]
    const found = await vault.find([...cards, { businessId: other, id: newId() }])
    equal(found.size, 2)
    const opened = await Promise.all(cards.map(({ businessId, id }) => vault.open(businessId, id, found.get(id))))
    deepEqual(
      opened.map((secret) => secret.reveal()),
      [NUMBER, '5555555555554444'],
    )
    await rejects(vault.open(other, cards[0]?.id ?? '', found.get(cards[0]?.id ?? '')))
    deepEqual(await vault.find([]), new Map())
  })

  test('is stored encrypted, differently each time', async () => {
    const [one, two] = [await vault.seal(business, number), await vault.seal(business, number)]
    notDeepEqual(one.number_ciphertext, two.number_ciphertext)
    ok(!one.number_ciphertext.includes(NUMBER))
    deepEqual(one.fingerprint, two.fingerprint)
  })

  test('does not open in the row of another card', async () => {
    const [one, two] = [await store(vault), await store(vault, business, new Secret('5555555555554444'))]
    await query(
      `update vault_card set number_ciphertext = (select number_ciphertext from vault_card where business_id = $1 and id = $2)
       where business_id = $1 and id = $3`,
      [business, one, two],
    )
    await rejects(vault.open(business, two))
    equal((await vault.open(business, one)).reveal(), NUMBER)
  })

  test('does not open for another business, even with the rows of card and data key copied', async () => {
    const id = await store(vault)
    const other = await addBusiness()
    await rejects(vault.open(other, id), /not in the vault/)
    await query(
      `insert into vault_key select $2, id, master_key_id, wrapped_key, created_at, retired_at from vault_key where business_id = $1`,
      [business, other],
    )
    await query(
      `insert into vault_card select $2, id, key_id, number_ciphertext, fingerprint, fingerprint_key_id, created_at
       from vault_card where business_id = $1`,
      [business, other],
    )
    await rejects(vault.open(other, id))
    await rejects(processWith(master).seal(other, number), 'a data key of another business seals nothing')
  })

  test('does not open from another column, such as the wrapped data key', async () => {
    const id = await store(vault)
    const [key] = await keysOf(business)
    await query('update vault_card set number_ciphertext = $3 where business_id = $1 and id = $2', [
      business,
      id,
      key.wrapped_key,
    ])
    await rejects(vault.open(business, id))
  })

  test('does not open with a single bit changed, in any byte', async () => {
    const id = await store(vault)
    const { rows } = await query('select number_ciphertext as bytes from vault_card where id = $1', [id])
    const { bytes } = rows[0] as { bytes: Buffer }
    for (let at = 0; at < bytes.length; at++) {
      const tampered = Buffer.from(bytes)
      tampered[at] = (tampered[at] ?? 0) ^ 1
      await query('update vault_card set number_ciphertext = $2 where id = $1', [id, tampered])
      await rejects(vault.open(business, id), `byte ${at}`)
    }
  })

  test('does not open under another data key of the same business', async () => {
    const id = await store(vault)
    await query('update vault_key set retired_at = now() where business_id = $1', [business])
    const other = await processWith(master).seal(business, number)
    await query('update vault_card set key_id = $2 where id = $1', [id, other.key_id])
    await rejects(vault.open(business, id))
  })

  test('opens under a retired data key', async () => {
    const id = await store(vault)
    await query('update vault_key set retired_at = now() where business_id = $1', [business])
    const later = processWith(master)
    const next = await store(later)
    equal((await keysOf(business)).length, 2)
    equal((await later.open(business, id)).reveal(), NUMBER)
    equal((await later.open(business, next)).reveal(), NUMBER)
  })
})

describe('After a rotation of the master key', () => {
  test('cards sealed under the old key still open', async () => {
    const id = await store(vault)
    equal((await processWith(newMaster, master).open(business, id)).reveal(), NUMBER)
  })

  test('new cards use the new key, after which the old key is no longer needed', async () => {
    const id = await store(vault)
    const [before] = await keysOf(business)

    const next = await store(processWith(newMaster, master))

    const [after, ...others] = await keysOf(business)
    deepEqual(others, [])
    equal(after.id, before.id)
    equal(after.master_key_id, createKeyring([newMaster]).currentId)
    notDeepEqual(after.wrapped_key, before.wrapped_key)
    for (const card of [id, next]) equal((await processWith(newMaster).open(business, card)).reveal(), NUMBER)
  })

  test('a missing key is named in the error', async () => {
    const id = await store(vault)
    await rejects(processWith(newMaster).open(business, id), /No master key with id [0-9a-f]{8}/)
    await rejects(processWith(newMaster).seal(business, number), /No master key/)
  })
})

describe('A fingerprint', () => {
  test('is equal for the same card of one business, in every process', () => {
    deepEqual(vault.fingerprint(business, number), processWith(master).fingerprint(business, new Secret(NUMBER)))
    notDeepEqual(vault.fingerprint(business, number), vault.fingerprint(business, new Secret('5555555555554444')))
  })

  test('of the same card differs across businesses and master keys', () => {
    notDeepEqual(vault.fingerprint(business, number).value, vault.fingerprint(newId(), number).value)
    const other = processWith(newMaster).fingerprint(business, number)
    notDeepEqual(other.value, vault.fingerprint(business, number).value)
    notEqual(other.keyId, vault.fingerprint(business, number).keyId)
  })

  test('is computed under every master key, the current one first', () => {
    deepEqual(processWith(newMaster, master).fingerprints(business, number), [
      processWith(newMaster).fingerprint(business, number),
      vault.fingerprint(business, number),
    ])
  })
})

describe('Concurrent processes', () => {
  test('create one data key for a business, and all use it', async () => {
    const cards = await Promise.all(Array.from({ length: 8 }, () => processWith(master).seal(business, number)))
    equal(new Set(cards.map(({ key_id }) => key_id)).size, 1)
    equal((await keysOf(business)).length, 1)
  })

  test('load the data key again for the next card after a failure', async () => {
    const unknown = newId()
    await rejects(vault.seal(unknown, number), /vault_key/)
    await query(
      `insert into business (id, name, currency, country, time_zone, created_at) values ($1, 'B', 'USD', 'US', 'UTC', now())`,
      [unknown],
    )
    match((await vault.seal(unknown, number)).key_id, /^[0-9a-f-]{36}$/)
  })
})
