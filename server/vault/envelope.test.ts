import { deepEqual, equal, notDeepEqual, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { open, seal } from './envelope.ts'

const key = randomBytes(32)
const PLAINTEXT = Buffer.from('4242424242424242')

describe('A sealed envelope', () => {
  test('opens with the same key and purpose', () => deepEqual(open(key, seal(key, PLAINTEXT, 'a'), 'a'), PLAINTEXT))

  test('is different each time', () => notDeepEqual(seal(key, PLAINTEXT, 'a'), seal(key, PLAINTEXT, 'a')))

  test('does not open with another key or for another purpose', () => {
    const sealed = seal(key, PLAINTEXT, 'a')
    throws(() => open(randomBytes(32), sealed, 'a'))
    throws(() => open(key, sealed, 'b'))
    throws(() => open(key, sealed, ''))
  })

  test('does not open with one bit changed, in any byte', () => {
    const sealed = seal(key, PLAINTEXT, 'a')
    equal(sealed.length, 1 + 12 + PLAINTEXT.length + 16)
    for (let at = 0; at < sealed.length; at++) {
      const tampered = Buffer.from(sealed)
      tampered[at] = (tampered[at] ?? 0) ^ (1 << (at % 8))
      throws(() => open(key, tampered, 'a'), `byte ${at}`)
    }
  })

  test('does not open when truncated to any length, or extended', () => {
    const sealed = seal(key, PLAINTEXT, 'a')
    for (let length = 0; length < sealed.length; length++) throws(() => open(key, sealed.subarray(0, length), 'a'))
    throws(() => open(key, Buffer.concat([sealed, Buffer.of(0)]), 'a'))
  })
})
