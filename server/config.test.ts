import { deepEqual, doesNotThrow, equal, match, throws } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { configurationPage } from '../scripts/print-configuration.ts'
import { ConfigError, readConfig, takeConfig } from './config.ts'
import { VARIABLES } from './config-variables.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')
const OLDER_KEY = Buffer.alloc(32, 2).toString('base64')
const PRODUCTION = {
  RIALTO_ENV: 'production',
  BASE_URL: 'https://api.pay.example',
  DASHBOARD_URL: 'https://form.pay.example',
  RIALTO_MASTER_KEY: createHash('sha256').update('a key').digest('base64'),
}

/** Returns the lines of the refusal, one for each wrong variable. */
function wrongIn(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
      .split('\n')
      .slice(1, -1)
      .map((line) => line.trim())
  }
}

describe('Configuration', () => {
  test('docs/reference/configuration.md is what config.ts reads', async () => {
    const page = await readFile(new URL('../docs/reference/configuration.md', import.meta.url), 'utf8')
    equal(page, configurationPage())
  })

  test('the table names every variable that is read, and no other', () => {
    const asked = new Set<string>()
    readConfig(new Proxy({}, { get: (_env, name) => void asked.add(String(name)) }))
    // The variables that npm sets for its scripts are not for people to set.
    const ours = [...asked].filter((name) => !name.startsWith('npm_'))
    deepEqual(ours.sort(), VARIABLES.map(({ name }) => name).sort())
  })

  test('nothing has to be set in staging', () => {
    const { environment, port, dashboardPort, baseUrl, dashboardUrl, databaseUrl, rateLimits } = readConfig({})
    deepEqual([environment, port, dashboardPort], ['staging', 4000, 4001])
    deepEqual([baseUrl, dashboardUrl], ['http://localhost:4000', 'http://localhost:4001'])
    deepEqual([databaseUrl, rateLimits], [null, true])
  })

  test('GPY-1: the wallet is at the API unless it is named, and never at the payment form', () => {
    equal(readConfig({ PORT: '4310' }).walletUrl, 'http://localhost:4310')
    equal(readConfig({ WALLET_URL: 'https://wallet.pay.example' }).walletUrl, 'https://wallet.pay.example')
    const shared = 'WALLET_URL must be another origin than DASHBOARD_URL'
    deepEqual(wrongIn({ WALLET_URL: 'http://localhost:4001' }), [shared])
    // The wallet has no URL of its own here, so Google Pay is not offered.
    deepEqual(wrongIn({ BASE_URL: 'https://pay.example', DASHBOARD_URL: 'https://pay.example' }), [])
    deepEqual(wrongIn({ WALLET_URL: 'wallet' }), ['WALLET_URL is not an origin, such as https://wallet.example.com'])
    const plain = wrongIn({ ...PRODUCTION, WALLET_URL: 'http://wallet.pay.example' })
    equal(plain.includes('WALLET_URL must be https in production'), true)
  })

  test('GPY-11: in production a gateway at Google names whose the button is', () => {
    const text =
      'GOOGLE_PAY_GATEWAY needs GOOGLE_PAY_MERCHANT_ID in production: Google shows its button only with an id'
    const gateway = { ...PRODUCTION, GOOGLE_PAY_GATEWAY: 'rialto' }
    equal(wrongIn(gateway).includes(text), true)
    equal(wrongIn({ ...gateway, GOOGLE_PAY_MERCHANT_ID: 'BCR2DN4T' }).includes(text), false)
    equal(wrongIn(PRODUCTION).includes(text), false)
    equal(readConfig({ GOOGLE_PAY_MERCHANT_ID: 'BCR2DN4T' }).googlePayMerchantId, 'BCR2DN4T')
    deepEqual(wrongIn({ GOOGLE_PAY_MERCHANT_ID: 'a b' }), ['GOOGLE_PAY_MERCHANT_ID is not a merchant id at Google'])
  })

  test('the addresses follow the ports', () => {
    const { baseUrl, dashboardUrl } = readConfig({ PORT: '4310', DASHBOARD_PORT: '4311' })
    deepEqual([baseUrl, dashboardUrl], ['http://localhost:4310', 'http://localhost:4311'])
  })

  test('secrets are taken out of the environment, the rest stays', () => {
    const env = { RIALTO_MASTER_KEY: KEY, DATABASE_URL: 'postgres://a:b@c/d', PATH: '/bin', PORT: '4310' }
    const more = { SIMULATOR_URL: 'http://127.0.0.1:4002', SIMULATOR_SECRET: 'x' }
    const all: Record<string, string | undefined> = { ...env, ...more }
    const config = takeConfig(all)
    deepEqual(config, readConfig({ ...env, ...more }))
    deepEqual(all, { PATH: '/bin', PORT: '4310', SIMULATOR_URL: more.SIMULATOR_URL })
  })

  test('every variable that looks like a secret is marked as one', () => {
    const looksSecret = /KEY(?!S_URL)|SECRET|PASSWORD|TOKEN|DATABASE_URL|SMTP_URL/
    deepEqual(
      VARIABLES.filter(({ name, isSecret = false }) => looksSecret.test(name) !== isSecret),
      [],
    )
  })

  test('a simulator that runs already is named with its secret', () => {
    deepEqual(wrongIn({ SIMULATOR_URL: 'http://127.0.0.1:4002' }), ['SIMULATOR_URL needs SIMULATOR_SECRET'])
  })

  test('a 3-D Secure server is named with its key, and a key with its server', () => {
    const server = { THREE_DS_SERVER_URL: 'https://three-ds.example/api/', THREE_DS_SERVER_KEY: ' key ' }
    deepEqual(readConfig(server).threeDsServer, { url: 'https://three-ds.example/api', key: 'key' })
    equal(readConfig({}).threeDsServer, null)
    deepEqual(wrongIn({ THREE_DS_SERVER_URL: 'https://three-ds.example' }), [
      'THREE_DS_SERVER_URL needs THREE_DS_SERVER_KEY',
    ])
    deepEqual(wrongIn({ THREE_DS_SERVER_KEY: 'key' }), ['THREE_DS_SERVER_KEY needs THREE_DS_SERVER_URL'])
    deepEqual(wrongIn({ ...server, THREE_DS_SERVER_KEY: 'a\nkey' }), [
      'THREE_DS_SERVER_KEY is not a key of a 3-D Secure server',
    ])
    const env: Record<string, string | undefined> = { ...server }
    takeConfig(env)
    equal(env.THREE_DS_SERVER_KEY, undefined)
  })

  test('a mail server needs the address that sends', () => {
    deepEqual(wrongIn({ SMTP_URL: 'smtp://mail.example' }), ['SMTP_URL needs MAIL_FROM'])
    deepEqual(wrongIn({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@x.example, b@x.example' }), [
      'MAIL_FROM is not one e-mail address, such as billing@example.com',
      'SMTP_URL needs MAIL_FROM',
    ])
    const { mail } = readConfig({ SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'billing@pay.example' })
    deepEqual([mail?.host, mail?.port, mail?.from], ['mail.example', 465, 'billing@pay.example'])
    equal(readConfig({}).mail, null)
  })

  test('an empty variable is one that is not set', () => {
    deepEqual(readConfig({ PORT: ' ', DATABASE_URL: '', RIALTO_FAULT: '' }), readConfig({}))
  })

  test('several master keys are read in their order', () => {
    const { masterKeys } = readConfig({ RIALTO_MASTER_KEY: `${KEY}, ${OLDER_KEY}` })
    deepEqual(
      masterKeys.map((key) => key[0]),
      [1, 2],
    )
  })
})

describe('A master key that can be guessed', () => {
  const weak = [Buffer.alloc(32), Buffer.alloc(32, 'secret'), Buffer.from(Array.from({ length: 32 }, (_, n) => n))]
  for (const key of weak) {
    for (const keys of [[key.toString('base64')], [PRODUCTION.RIALTO_MASTER_KEY, key.toString('base64')]]) {
      test(`${keys.join(', ')}: production does not start, staging does`, () => {
        const env = { ...PRODUCTION, RIALTO_MASTER_KEY: keys.join(',') }
        const lines = wrongIn(env).filter((line) => line.startsWith('RIALTO_MASTER_KEY'))
        match(lines.join(), /^RIALTO_MASTER_KEY has a key that can be guessed.*openssl rand -base64 32$/)
        deepEqual(wrongIn({ ...env, RIALTO_ENV: 'staging' }), [])
      })
    }
  }

  test('a random one is not named', () => {
    deepEqual(
      wrongIn(PRODUCTION).filter((line) => line.startsWith('RIALTO_MASTER_KEY')),
      [],
    )
  })
})

describe('A wrong variable is named with what is expected', () => {
  const rows = [
    // variable                   value                          what is said
    ['RIALTO_ENV', 'live', /one of staging, production/],
    ['PORT', 'abc', /a port from 0 to 65535/],
    ['PORT', '65536', /a port from 0 to 65535/],
    ['DASHBOARD_PORT', '-1', /a port from 0 to 65535/],
    ['SIMULATOR_PORT', '40.5', /a port from 0 to 65535/],
    ['BASE_URL', 'pay.example', /an origin/],
    ['BASE_URL', 'https://pay.example/api', /an origin/],
    ['DASHBOARD_URL', 'ftp://form.example', /an origin/],
    ['THREE_DS_SERVER_URL', 'three-ds.example', /a URL/],
    ['THREE_DS_SERVER_URL', 'ftp://three-ds.example', /a URL/],
    ['THREE_DS_SERVER_URL', 'https://a:b@three-ds.example', /a URL/],
    ['THREE_DS_SERVER_URL', 'https://three-ds.example/?key=1', /a URL/],
    ['DATABASE_URL', 'mysql://localhost/pay', /a postgres:\/\/ URL/],
    ['DATABASE_CONNECTIONS', '0', /a number from 1 to 200/],
    ['RIALTO_MASTER_KEY', 'c2hvcnQ=', /32 bytes in base64/],
    ['RIALTO_MASTER_KEY', `${KEY},c2hvcnQ=`, /32 bytes in base64/],
    ['RIALTO_RATE_LIMITS', 'no', /one of on, off/],
    ['RIALTO_GATEWAY', 'acme', /one of simulator/],
    ['SIMULATOR_URL', 'localhost', /an origin/],
    ['SIMULATOR_PUBLIC_URL', 'https://bank.example/acs', /an origin/],
    ['LOG_LEVEL', 'loud', /one of trace, debug, info/],
    ['RIALTO_TIME_SCALE', '0', /above 0, at most 1/],
    ['RIALTO_TIME_SCALE', '2', /above 0, at most 1/],
  ] as const
  for (const [name, value, says] of rows) {
    test(`${name}=${value.length > 40 ? 'a good key and a short one' : value}`, () => {
      const [line = '', ...others] = wrongIn({ [name]: value })
      match(line, new RegExp(`^${name} is not `))
      match(line, says)
      deepEqual(others, [])
    })
  }

  test('all of them at once', () => {
    const names = wrongIn({ PORT: 'x', LOG_LEVEL: 'x', DATABASE_URL: 'x' }).map((line) => line.split(' ')[0])
    deepEqual(names.sort(), ['DATABASE_URL', 'LOG_LEVEL', 'PORT'])
  })

  test('the value is not repeated: it may be a secret', () => {
    throws(
      () => readConfig({ RIALTO_MASTER_KEY: 'hunter2', DATABASE_URL: 'mysql://rialto:hunter2@db/pay' }),
      (error: Error) => !error.message.includes('hunter2'),
    )
  })
})

describe('Production refuses to start', () => {
  /** Until a real gateway exists, this line is always there. */
  const SIMULATOR = 'RIALTO_GATEWAY must be a real gateway in production, not the simulator'

  test('with the simulator', () => {
    deepEqual(wrongIn(PRODUCTION), [SIMULATOR])
  })

  const rows = [
    ['without an address, because http://localhost is none', { BASE_URL: '' }, 'BASE_URL must be https in production'],
    ['with a plain BASE_URL', { BASE_URL: 'http://pay.example' }, 'BASE_URL must be https in production'],
    [
      'with a plain DASHBOARD_URL',
      { DASHBOARD_URL: 'http://pay.example' },
      'DASHBOARD_URL must be https in production',
    ],
    ['without a master key', { RIALTO_MASTER_KEY: '' }, 'RIALTO_MASTER_KEY is required in production'],
    ['without rate limits', { RIALTO_RATE_LIMITS: 'off' }, 'RIALTO_RATE_LIMITS cannot be off in production'],
    ['with a faster clock', { RIALTO_TIME_SCALE: '0.05' }, 'RIALTO_TIME_SCALE is for staging'],
    [
      'with a plain THREE_DS_SERVER_URL',
      { THREE_DS_SERVER_URL: 'http://three-ds.example', THREE_DS_SERVER_KEY: 'key' },
      'THREE_DS_SERVER_URL must be https in production',
    ],
    [
      'with an address of the simulated bank',
      { SIMULATOR_PUBLIC_URL: 'https://bank.example' },
      'SIMULATOR_PUBLIC_URL is for staging',
    ],
    ['with a fault', { RIALTO_FAULT: 'after:intent_commit' }, 'RIALTO_FAULT is for staging'],
  ] as const
  for (const [how, change, says] of rows) {
    test(how, () => deepEqual(wrongIn({ ...PRODUCTION, ...change }).sort(), [SIMULATOR, says].sort()))
  }

  test('staging takes all of that', () => {
    doesNotThrow(() =>
      readConfig({ RIALTO_RATE_LIMITS: 'off', RIALTO_TIME_SCALE: '0.05', RIALTO_FAULT: 'after:intent_commit' }),
    )
  })
})
