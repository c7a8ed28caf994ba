import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressForCounting, canonicalAddress } from './client-address.ts'

describe('One spelling for each address', () => {
  const rows: [text: string, canonical: string | null][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:0db8::0001', '2001:db8::1'],
    ['::1', '::1'],
    // Not an address, or not surely one: then it is nobody's.
    ['010.0.0.1', null],
    ['10.0.0.01', null],
    ['127.1', null],
    ['2130706433', null],
    ['0x7f.0.0.1', null],
    ['203.0.113.7:443', null],
    ['[::1]', null],
    ['fe80::1%eth0', null],
    ['203.0.113.0/24', null],
    ['localhost', null],
    ['unknown', null],
    [' 203.0.113.7', null],
    ['', null],
  ]
  for (const [text, canonical] of rows) {
    test(`${JSON.stringify(text)} is ${canonical ?? 'no address'}`, () => equal(canonicalAddress(text), canonical))
  }
})

describe('What a counter is kept for', () => {
  test('IPv4: the address, however it came', () => {
    equal(addressForCounting('203.0.113.7'), '203.0.113.7')
    equal(addressForCounting('::ffff:203.0.113.7'), '203.0.113.7')
  })
  test('IPv6: its /64, which one caller owns', () => {
    equal(addressForCounting('2001:db8:1:2::1'), '2001:db8:1:2::/64')
    equal(addressForCounting('2001:db8:1:2:ffff::9'), addressForCounting('2001:db8:1:2::1'))
  })
  test('no address: all of them together', () => equal(addressForCounting('garbage'), 'unknown'))
})
