import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readRange, trustedBy } from './trusted-proxies.ts'

describe('Trusted proxies', () => {
  const trusted = trustedBy(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1', '::ffff:192.0.2.0/120'])
  const rows: [address: string, isTrusted: boolean][] = [
    ['127.0.0.1', true],
    ['::ffff:127.0.0.1', true],
    ['127.0.0.2', false],
    ['10.255.0.1', true],
    ['::ffff:10.255.0.1', true],
    ['11.0.0.1', false],
    ['2001:db8::5', true],
    ['2001:db9::5', false],
    ['::1', true],
    ['192.0.2.77', true],
    ['192.0.3.77', false],
    ['::10.0.0.1', false],
    ['64:ff9b::10.0.0.1', false],
    ['10.1', false],
    ['012.0.0.1', false],
    ['10.0.0.1:80', false],
    ['10.0.0.1%eth0', false],
    ['', false],
    ['unknown', false],
  ]
  for (const [address, isTrusted] of rows) {
    test(`${address || 'nothing'}: ${isTrusted ? 'trusted' : 'not trusted'}`, () => equal(trusted(address), isTrusted))
  }

  for (const text of [
    '',
    'localhost',
    '10.1',
    '010.0.0.0/8',
    '::10.0.0.0/104',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08/1',
    '2001:db8::/129',
    '::ffff:10.0.0.0/8',
    'fe80::1%eth0',
  ]) {
    test(`${text || 'nothing'} names none`, () => equal(readRange(text), null))
  }

  test('every IPv6 address can be named', () => equal(trustedBy(['::/0'])('2001:db8::1'), true))
})
