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
    ['0:0:0:0:0:0:0:1', '::1'],
    // An IPv4/IPv6 translator's address is an address of its own, never the IPv4 address inside it.
    ['64:ff9b::127.0.0.1', '64:ff9b::7f00:1'],
    ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
    // IPv4-compatible addresses were abolished by RFC 4291, and libraries read them as IPv4.
    ['::127.0.0.1', null],
    ['::7f00:1', null],
    ['0:0:0:0:0:0:127.0.0.1', null],
    ['::0:127.0.0.1', null],
    ['::0.0.0.1', null],
    ['::203.0.113.7', null],
    ['::2', null],
    ['::', null],
    ['::ffff:127.1', null],
    ['::ffff:0177.0.0.1', null],
    ['::ffff:0127.0.0.1', null],
    ['::ffff:0x7f.0.0.1', null],
    ['::ffff:127.0.0.1%lo', null],
    ['::ffff:127.0.0.1:80', null],
    ['[::ffff:127.0.0.1]', null],
    ['127.0.0.1.', null],
    ['127.0.0.256', null],
    ['127.0.0', null],
    ['0177.0.0.1', null],
    ['１２７.0.0.1', null],
    ['::ffff:１27.0.0.1', null],
    ['::1/128', null],
    ['1::1::1', null],
    // Not an address, or not certainly one, so it belongs to nobody.
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

describe('The address of a counter', () => {
  test('IPv4: the address, in any spelling', () => {
    equal(addressForCounting('203.0.113.7'), '203.0.113.7')
    equal(addressForCounting('::ffff:203.0.113.7'), '203.0.113.7')
  })
  test('IPv6: its /64, which one caller owns', () => {
    equal(addressForCounting('2001:db8:1:2::1'), '2001:db8:1:2::/64')
    equal(addressForCounting('2001:db8:1:2:ffff::9'), addressForCounting('2001:db8:1:2::1'))
  })
  test('no address: one counter for all of them', () => equal(addressForCounting('garbage'), 'unknown'))
})
