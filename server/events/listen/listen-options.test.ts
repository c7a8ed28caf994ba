import { deepEqual, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UsageError } from '../../lib/command.ts'
import { readListenOptions } from './listen-options.ts'

const TO = ['--forward-to', 'http://localhost:3000/webhooks']
const DEMO = { url: 'http://localhost:4000', key: 'rc_sk_stg_demo' }
const defaults = { baseUrl: 'http://localhost:5000', secretKey: null, demo: DEMO }
const read = (args: string[], more: object = {}) => readListenOptions([...TO, ...args], { ...defaults, ...more })

describe('The options of listen', () => {
  test('are those of the demo unless given', () => {
    const { url, key, receiver, sinceMs } = read([])
    deepEqual([url, key, receiver.href, sinceMs], [DEMO.url, DEMO.key, 'http://localhost:3000/webhooks', null])
  })

  test('take a key from the environment, and one from the command line before it; then BASE_URL counts', () => {
    const fromEnv = read([], { secretKey: 'rc_sk_stg_env' })
    deepEqual([fromEnv.url, fromEnv.key], ['http://localhost:5000', 'rc_sk_stg_env'])
    const given = read(['--key', 'rc_sk_stg_given', '--url', 'https://api.example/'], { secretKey: 'rc_sk_stg_env' })
    deepEqual([given.url, given.key], ['https://api.example', 'rc_sk_stg_given'])
  })

  for (const [text, ms] of [
    ['30s', 30_000],
    ['15m', 900_000],
    ['2h', 7_200_000],
    ['3d', 259_200_000],
  ] as const)
    test(`--since ${text}`, () => {
      deepEqual(read(['--since', text]).sinceMs, ms)
    })

  test('--events has types and beginnings of types; without it there are all, unknown ones too', () => {
    const { receives } = read(['--events', 'payment.*, customer.created'])
    deepEqual(['payment.failed', 'customer.created', 'customer.updated', 'ping'].map(receives), [
      true,
      true,
      false,
      false,
    ])
    deepEqual(['payment.failed', 'a.later.one'].map(read([]).receives), [true, true])
  })

  for (const [what, args, more, message] of [
    ['a receiver that is not a URL', ['--forward-to', 'localhost'], {}, /^--forward-to must be an http or https URL/],
    [
      'a user name with a colon',
      ['--forward-to', 'http://a%3Ab:c@localhost'],
      {},
      /^--forward-to must have a user name/,
    ],
    ['a receiver of another scheme', ['--forward-to', 'file:///tmp'], {}, /^--forward-to must be/],
    ['an empty receiver', ['--forward-to', ''], {}, /^--forward-to is required/],
    ['a wrong --url', ['--url', 'api.example'], {}, /^--url must be/],
    ['a span without a unit', ['--since', '2'], {}, /^--since must be a number with a unit: 30s, 15m, 2h or 3d/],
    ['a negative span', ['--since=-2h'], {}, /^--since must be/],
    ['an unknown type', ['--events', 'payment.exploded'], {}, /^--events: there is no event payment\.exploded/],
    ['no type', ['--events', ''], {}, /^--events: there is no event/],
    ['an unknown option', ['--since-when', '2h'], {}, /since-when/],
    ['a stray word', ['http://localhost:3000'], {}, /^Unexpected: http:\/\/localhost:3000/],
    ['no key', [], { demo: null }, /^A secret key is required: --key, RIALTO_SECRET_KEY/],
  ] as const)
    test(`refuse ${what}`, () => {
      throws(
        () => read([...args], more),
        (error) =>
          error instanceof UsageError && message.test(error.message) && /Usage: npm run listen/.test(error.message),
      )
    })
})
