import { deepEqual, equal, notDeepEqual, notEqual, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { createKeyring, credentialHash, credentialHashes, type KeyPurpose, type Keyring } from './keyring.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const before = createKeyring([older])
const after = createKeyring([newer, older])

describe('A keyring', () => {
  test('has the first master key as the current one, and keeps the others', () => {
    equal(after.ids.length, 2)
    equal(after.currentId, after.ids[0])
    equal(after.ids[1], before.currentId)
  })

  test('derives the same key for the same use, in every process', () => {
    const exported = (keyring: Keyring) => keyring.key('wrap data keys', before.currentId).export()
    deepEqual(exported(after), exported(before))
  })

  test('has another key for every use and every master key', () => {
    const uses: KeyPurpose[] = ['wrap data keys', 'fingerprint cards', 'hash credentials', 'seal session tokens']
    const keys = after.ids.flatMap((id) => uses.map((use) => after.key(use, id).export().toString('hex')))
    equal(new Set(keys).size, 8)
    equal(keys.includes(older.toString('hex')), false)
  })

  test('names the missing master key, when one was removed too early', () => {
    throws(() => createKeyring([newer]).key('wrap data keys', before.currentId), new RegExp(before.currentId))
  })

  test('needs a master key', () => throws(() => createKeyring([]), /at least one/))

  test('reveals nothing about a key by its id', () => {
    notEqual(before.currentId, older.toString('hex').slice(0, 8))
    equal(before.currentId.length, 8)
  })
})

describe('The hash of a credential', () => {
  test('is stored under the current key, and found again under an older one', () => {
    const stored = credentialHash(before, 'rc_at_secret')
    deepEqual(credentialHashes(after, 'rc_at_secret')[1], stored)
    notDeepEqual(credentialHash(after, 'rc_at_secret'), stored)
  })

  test('differs for every secret and every master key', () => {
    notDeepEqual(credentialHash(before, 'a'), credentialHash(before, 'b'))
    notDeepEqual(credentialHash(before, 'a'), credentialHash(createKeyring([randomBytes(32)]), 'a'))
  })
})
