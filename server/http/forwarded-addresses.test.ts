import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addressOfHop } from './forwarded-addresses.ts'

describe('OPS-65: an address of X-Forwarded-For may have a port or brackets', () => {
  const port = fc.integer({ min: 0, max: 65_535 })

  test('any IPv4 address, with and without a port', () => {
    fc.assert(
      fc.property(fc.ipV4(), port, (address, number) => {
        equal(addressOfHop(address), address)
        equal(addressOfHop(` ${address}:${number} `), address)
      }),
      { numRuns: 500 },
    )
  })

  test('any IPv6 address, with and without brackets and a port', () => {
    fc.assert(
      fc.property(fc.ipV6(), port, (address, number) => {
        equal(addressOfHop(address), address)
        equal(addressOfHop(`[${address}]`), address)
        equal(addressOfHop(`[${address}]:${number}`), address)
      }),
      { numRuns: 500 },
    )
  })

  for (const text of [
    'unknown',
    '_hidden',
    '',
    '1.2.3.4:',
    '1.2.3.4:x',
    '1.2.3:80',
    '[1.2.3.4]:80',
    '[::1',
    '::1]:8',
    'a:1',
  ]) {
    test(`${JSON.stringify(text)} stays what it is`, () => equal(addressOfHop(text), text))
  }
})
