import { deepEqual, equal, match, notEqual, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { newId } from '../../lib/ids.ts'
import { createKeyring } from '../../lib/keyring.ts'
import { createSessionTokens } from './session-token.ts'

const [older, newer] = [randomBytes(32), randomBytes(32)]
const before = createKeyring([older])
const tokensOf = (...masterKeys: Buffer[]) => createSessionTokens({ keyring: createKeyring(masterKeys) })
const session = { businessId: newId(), id: newId(), tokenKeyId: before.currentId }
const { tokenKeyId: _, ...place } = session
const token = tokensOf(older).make(session)

describe('A session token', () => {
  test('is 64 characters of base64url, and the same for the same session in every process', () => {
    match(token, /^[A-Za-z0-9_-]{64}$/)
    equal(tokensOf(older).make(session), token)
    notEqual(tokensOf(older).make({ ...session, id: newId() }), token)
  })

  test('opens its session in another process', () => {
    deepEqual(tokensOf(older).open(token), place)
  })

  test('does not contain the ids in clear text', () => {
    const bytes = Buffer.from(token, 'base64url').toString('hex')
    for (const id of Object.values(place)) equal(bytes.includes(id.replaceAll('-', '').slice(0, 12)), false)
  })

  test('stays valid and unchanged after a rotation of the master key', () => {
    deepEqual(tokensOf(newer, older).open(token), place)
    equal(tokensOf(newer, older).make(session), token)
  })

  test('is invalid without the master key that it was made under', () => {
    equal(tokensOf(newer).open(token), null)
    throws(() => tokensOf(newer).make(session), new RegExp(before.currentId))
  })

  test('is invalid when any character is changed', () => {
    for (let index = 0; index < token.length; index++) {
      const other = token[index] === 'A' ? 'B' : 'A'
      equal(tokensOf(older).open(token.slice(0, index) + other + token.slice(index + 1)), null, String(index))
    }
  })

  for (const text of [
    '',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    `+${token.slice(1)}`,
    'f'.repeat(64),
  ]) {
    test(`is not ${JSON.stringify(text.slice(0, 12))} of ${text.length} characters`, () =>
      equal(tokensOf(older).open(text), null))
  }
})
