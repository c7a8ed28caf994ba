import { equal, match, notEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lastFourOf, newApiKey, readApiKey } from './api-key.ts'

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

describe('A secret key', () => {
  test('contains its kind and its environment', () => {
    match(newApiKey('staging'), /^rc_sk_stg_[0-9A-HJKMNP-TV-Z]{47}$/)
    match(newApiKey('production'), /^rc_sk_live_[0-9A-HJKMNP-TV-Z]{47}$/)
    for (const environment of ['staging', 'production'] as const) {
      for (let count = 0; count < 500; count++) equal(readApiKey(newApiKey(environment)), environment)
    }
  })

  test('is different each time', () => {
    notEqual(newApiKey('staging'), newApiKey('staging'))
  })

  test('is not read when any one character is another', () => {
    const key = newApiKey('staging')
    for (let index = 0; index < key.length; index++) {
      for (const letter of LETTERS) {
        const other = key.slice(0, index) + letter + key.slice(index + 1)
        if (other !== key) equal(readApiKey(other), null, `${letter} at ${index}`)
      }
    }
  })

  test('is not read when two neighbouring characters are swapped', () => {
    const key = newApiKey('production')
    for (let index = 0; index + 1 < key.length; index++) {
      const other = key.slice(0, index) + key[index + 1] + key[index] + key.slice(index + 2)
      if (other !== key) equal(readApiKey(other), null, `at ${index}`)
    }
  })

  test('is one known text for scanners, with its last four', () => {
    // The checksum was computed by Python's zlib.
    equal(readApiKey('rc_sk_stg_0123456789ABCDEFGHJKMNPQRSTVWXYZABCDEFGH2HD50EC'), 'staging')
    equal(lastFourOf('rc_sk_stg_0123456789ABCDEFGHJKMNPQRSTVWXYZABCDEFGH2HD50EC'), '50EC')
  })

  const wrong = ['', 'rc_sk_', 'rc_sk_stg_', 'rc_at_abc', newApiKey('staging').replace('stg', 'live'), '🎂'.repeat(60)]
  for (const text of wrong) {
    test(`is not "${text.slice(0, 12)}…"`, () => equal(readApiKey(text), null))
  }
  test('is not read with white space around it, nor in lower case', () => {
    const key = newApiKey('staging')
    for (const text of [` ${key}`, `${key}\n`, key.toLowerCase(), key + key]) equal(readApiKey(text), null)
  })
})
