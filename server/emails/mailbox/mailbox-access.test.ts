import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mayReadMailbox } from './mailbox-access.ts'

const HERE = { ip: '127.0.0.1', host: 'localhost:4001', isForwarded: false }
const LOCAL = { dashboardUrl: 'http://localhost:4001', knowsProxies: false }
const PUBLIC = { dashboardUrl: 'https://form.staging.example', knowsProxies: true }

describe('The mailbox is shown (LTR-15)', () => {
  for (const [who, caller, place] of [
    ['to a browser on this machine', {}, LOCAL],
    ['over IPv6', { ip: '::1', host: '[::1]:4001' }, LOCAL],
    ['to an IPv4 address in IPv6', { ip: '::ffff:127.0.0.1', host: '127.0.0.1:4001' }, LOCAL],
    ['through a forwarded port', { host: 'localhost:9000' }, LOCAL],
    ['behind a known proxy, to a browser on this machine', { host: 'form.staging.example', isForwarded: true }, PUBLIC],
  ] as const)
    test(who, () => equal(mayReadMailbox({ ...HERE, ...caller }, place), true))

  for (const [who, caller, place] of [
    ['to another machine', { ip: '192.168.1.7' }, LOCAL],
    ['to another machine over IPv6', { ip: 'fe80::1' }, LOCAL],
    ['to an address that is none', { ip: 'unknown' }, LOCAL],
    ['to a page whose name was rebound to loopback', { host: 'evil.example:4001' }, LOCAL],
    ['to a name that only begins like loopback', { host: 'localhost.evil.example' }, LOCAL],
    ['without a host', { host: undefined }, LOCAL],
    ['through a proxy that is not known', { isForwarded: true }, LOCAL],
    ['through a known proxy, to another machine', { ip: '203.0.113.7', host: 'form.staging.example' }, PUBLIC],
    ['at a public address without known proxies', { host: 'form.staging.example' }, { ...PUBLIC, knowsProxies: false }],
    ['there, by a name of loopback neither', {}, { ...PUBLIC, knowsProxies: false }],
  ] as const)
    test(`not ${who}`, () => equal(mayReadMailbox({ ...HERE, ...caller }, place), false))
})
