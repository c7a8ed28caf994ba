import { equal } from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { describe, test } from 'node:test'
import { checkTargetUrl, isOwnListener, refusedAddress } from './target-address.ts'

// EVT-10. The ranges are those of the IANA special-purpose registries.

/** Refused in both environments. */
const REFUSED: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255', '::'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
  'link-local': [
    '169.254.0.0',
    '169.254.169.254',
    '169.254.170.2',
    '169.254.255.255',
    'fe80::1',
    'fe80::1%eth0',
    'febf::',
  ],
  metadata: ['169.254.169.254', 'fd00:ec2::254', '192.0.0.192', '168.63.129.16', 'fd20:ce::254'],
  'protocol assignments': ['192.0.0.0', '192.0.0.255', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.0', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'class E': ['240.0.0.0', '255.255.255.254', '255.255.255.255'],
  'unique local': ['fc00::', 'fd12:3456::1', 'fdff::'],
  'site-local': ['fec0::1'],
  'IPv4 in IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1', '::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::169.254.169.254', '64:ff9b:1::1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:1::1'],
  'not allocated': ['4000::1', '1::1', '100::1', '5f00::1', 'e000::1'],
  'not an address': ['', 'localhost', '0x7f.1', '127.1', '2130706433', '1.2.3.4.5', '1.2.3.4:80', '[::1]', ' 8.8.8.8'],
}
const LOOPBACK = ['127.0.0.1', '127.0.0.0', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1']
const PUBLIC = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...[
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
  ],
  ...['198.20.0.0', '223.255.255.255', '168.63.129.15', '2606:4700:4700::1111', '2a00:1450::1', '2600::'],
]

describe('Addresses that receive no webhooks', () => {
  for (const [kind, addresses] of Object.entries(REFUSED)) {
    test(kind, () => {
      for (const ip of addresses) {
        equal(refusedAddress(ip, 'production'), true, ip)
        equal(refusedAddress(ip, 'staging'), true, `${ip} in staging`)
      }
    })
  }

  test('loopback in production; staging allows it', () => {
    for (const ip of LOOPBACK) {
      equal(refusedAddress(ip, 'production'), true, ip)
      equal(refusedAddress(ip, 'staging'), false, `${ip} in staging`)
    }
  })

  test('public addresses receive them', () => {
    for (const ip of PUBLIC) {
      equal(refusedAddress(ip, 'production'), false, ip)
      equal(refusedAddress(ip, 'staging'), false, `${ip} in staging`)
    }
  })
})

describe('The URL of an endpoint', () => {
  const ownOrigins = ['https://pay.example.com', 'https://form.example.com:8443']
  const inProduction = (url: string) => checkTargetUrl(url, { environment: 'production', ownOrigins })
  const inStaging = (url: string) =>
    checkTargetUrl(url, { environment: 'staging', ownOrigins: ['http://localhost:4000'] })

  test('is https on port 443 or 8443 in production', () => {
    equal(inProduction('https://shop.example/webhooks?a=b'), null)
    equal(inProduction('https://shop.example:8443/'), null)
    equal(inProduction('https://8.8.8.8/'), null)
    equal(inProduction('https://[2606:4700:4700::1111]/'), null)
    equal(inProduction('http://shop.example/'), 'must use https')
    for (const port of [22, 25, 80, 444, 3000, 5432, 6379, 65_535])
      equal(inProduction(`https://shop.example:${port}/`), 'must use port 443 or 8443', String(port))
  })

  test('is http too in staging, on the ports of the web and unprivileged ones', () => {
    for (const url of ['http://shop.example', 'http://localhost:3000/hook', 'http://127.0.0.1:9', 'http://[::1]:1024'])
      equal(inStaging(url), url.endsWith(':9') ? 'must use port 80, 443 or one from 1024' : null, url)
    for (const port of [0, 22, 25, 1023])
      equal(inStaging(`http://localhost:${port}/`), 'must use port 80, 443 or one from 1024', String(port))
  })

  test('is an absolute URL of the web', () => {
    for (const url of [
      '',
      'shop.example',
      '/hook',
      'ftp://shop.example',
      'file:///etc/passwd',
      'https://',
      'data:,x',
      'https://a b/',
    ])
      for (const check of [inProduction, inStaging]) equal(check(url), 'must be an absolute https URL', url)
  })

  test('contains no credentials', () => {
    for (const url of [
      'https://user@shop.example',
      'https://user:password@shop.example',
      'https://:password@shop.example',
    ])
      for (const check of [inProduction, inStaging])
        equal(check(url), 'must not contain a user name or a password', url)
    equal(inProduction('https://8.8.8.8\\@127.0.0.1/'), null, 'a backslash ends the host')
  })

  test('is not a host of this service', () => {
    const message = 'must not be a host of this service'
    for (const host of ['pay.example.com', 'PAY.example.com.', 'pay.example.com:8443', 'form.example.com'])
      equal(inProduction(`https://${host}/`), message, host)
    equal(inProduction('https://api.pay.example.com/'), null)
    for (const host of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000', 'a.localhost:4000', '0x7f.1:4000'])
      equal(inStaging(`http://${host}/`), message, host)
    equal(inStaging('http://localhost:4001/'), null)
  })

  test('has no address that is refused, in any spelling', () => {
    const spellings = [
      ...[
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f.1',
        '0x7f000001',
        '0177.0.0.1',
        '①②⑦.0.0.1',
        '127。0。0。1',
        '127.0.0.1.',
      ],
      ...['%31%32%37.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:1]', '[::127.0.0.1]', '0', '0x0'],
      ...[
        '169.254.169.254',
        '0xa9fea9fe',
        '2852039166',
        '[fd00:ec2::254]',
        '[64:ff9b::a9fe:a9fe]',
        '10.1',
        '192.168.257',
      ],
    ]
    for (const host of spellings) equal(inProduction(`https://${host}/`), 'must have a public address', host)
    for (const host of [
      '169.254.169.254',
      '0xa9fea9fe',
      '10.1',
      '[fe80::1]',
      '0',
      '[::ffff:127.0.0.1]',
      '168.63.129.16',
    ])
      equal(inStaging(`http://${host}/`), 'must have a public address', host)
  })

  test('has no name that is resolved inside a network only, in production', () => {
    for (const host of [
      'localhost',
      'localhost.',
      'a.localhost',
      'printer',
      'printer.local',
      'metadata.google.internal',
      'nas.lan',
    ])
      equal(inProduction(`https://${host}/`), 'must have a public address', host)
    equal(inProduction('https://localhost.example/'), null)
  })
})

describe('A listener of this service', () => {
  const rules = { ownOrigins: ['http://127.0.0.1:4003', 'https://pay.example.com:4007'] }
  const machine = Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))

  for (const address of new Set(['127.0.0.1', '127.8.8.8', '::1', '0:0:0:0:0:0:0:1', ...machine])) {
    test(`is at its port of ${address}, and nothing of ours at another port`, () => {
      equal(isOwnListener(address, 4003, rules), true)
      equal(isOwnListener(address, 4004, rules), false)
      equal(isOwnListener(address, 4007, rules), false, 'a public address leads to a proxy')
    })
  }

  test('is not at the port of another machine', () => equal(isOwnListener('203.0.113.9', 4003, rules), false))
})
