import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { systemClock } from '../lib/clock.ts'
import { businessCommand } from './business-command.ts'
import { findBusiness } from './business-queries.ts'
import { findAcquirer, findTerminal } from './terminal-queries.ts'

let database: TestDatabase
let connected: Database
let id: string
before(async () => {
  database = await createTestDatabase()
  connected = connect({ url: database.url, max: 2 })
  const shop = ['--name', 'Shop', '--currency', 'CAD', '--country', 'CA', '--time-zone', 'America/Toronto']
  id = (await run('create', ...shop)).slice(0, 36)
})
after(async () => {
  await connected.close()
  await database.drop()
})

const run = (...args: string[]) => businessCommand({ db: connected.db, clock: systemClock }, args)
const set = (...args: string[]) => run('set', '--business', id, ...args)
const acquirer = (currency: string, ...args: string[]) =>
  run('acquirer', '--business', id, '--currency', currency, ...args)
const ALL = ['--acquirer-bin', '438309', '--acquirer-merchant-id', '00002000000', '--category-code', '5411']

async function stored(currency: 'USD' | 'CAD') {
  const terminal = await findTerminal(connected.db, id, currency)
  return findAcquirer(connected.db, id, terminal?.id ?? '')
}

async function entries() {
  const rows = await connected.db.selectFrom('audit_entry').selectAll().orderBy('number').execute()
  return rows.map(({ action, object_type, before: old, after: next }) => ({ action, object_type, old, next }))
}

describe('npm run business, 3-D Secure', () => {
  test('the acquirer of one terminal is set in parts and removed, with audit entries', async () => {
    equal((await entries()).length, 1)
    match(await acquirer('CAD', '--acquirer-bin', '438309'), /acquirer-bin +438309\n.*–\n.*–\nWithout all three/)
    const printed = await acquirer('CAD', ...ALL)
    match(printed, /00002000000[\s\S]*5411$/)
    const whole = { acquirerBin: '438309', acquirerMerchantId: '00002000000', categoryCode: '5411' }
    deepEqual(await stored('CAD'), whole)
    deepEqual(await stored('USD'), { acquirerBin: null, acquirerMerchantId: null, categoryCode: null })
    await acquirer('CAD', '--category-code', '')
    deepEqual(await stored('CAD'), { ...whole, categoryCode: null })
    const change = { action: 'terminal.update', object_type: 'terminal' }
    deepEqual((await entries()).slice(1), [
      { ...change, old: { acquirer_bin: null }, next: { acquirer_bin: '438309' } },
      {
        ...change,
        old: { acquirer_merchant_id: null, merchant_category_code: null },
        next: { acquirer_merchant_id: '00002000000', merchant_category_code: '5411' },
      },
      { ...change, old: { merchant_category_code: '5411' }, next: { merchant_category_code: null } },
    ])
  })

  test('a wrong acquirer is refused by name, and nothing is written', async () => {
    const [before, count] = [await stored('USD'), (await entries()).length]
    for (const [option, values] of [
      ['acquirer-bin', ['12345', '123456789012', 'abcdef', '438309\n']],
      ['acquirer-merchant-id', ['x'.repeat(36), 'a b', 'é', '1\n']],
      ['category-code', ['541', '54111', 'abcd', '５４１１']],
    ] as const) {
      for (const value of values) {
        const wrong = acquirer('USD', ...ALL, `--${option}`, value)
        await rejects(wrong, new RegExp(`${option} must`))
      }
    }
    await rejects(acquirer('EUR', ...ALL), /currency must/)
    await rejects(run('acquirer', '--currency', 'USD', ...ALL), /--business is required/)
    const nobody = '0190a000-0000-7000-8000-000000000000'
    await rejects(run('acquirer', '--business', nobody, '--currency', 'USD', ...ALL), /No such terminal/)
    deepEqual([await stored('USD'), (await entries()).length], [before, count])
  })

  test('3-D Secure is switched, and its threshold set and removed', async () => {
    const settings = async () => {
      const { threeDsEnabled, threeDsAbove } = (await findBusiness(connected.db, id)) ?? {}
      return [threeDsEnabled, threeDsAbove]
    }
    match(await set('--three-ds', 'on', '--three-ds-above', '99.50'), /three-ds +on\n +three-ds-above +99.5/)
    deepEqual(await settings(), [true, 9950])
    await set('--three-ds-above', '')
    deepEqual(await settings(), [true, null])
    await set('--three-ds', 'off')
    deepEqual(await settings(), [false, null])
    const [last] = (await entries()).slice(-1)
    deepEqual(
      [last?.action, last?.old, last?.next],
      ['settings.change', { three_ds_enabled: true }, { three_ds_enabled: false }],
    )
    for (const wrong of [
      ['--three-ds', 'yes'],
      ['--three-ds', ''],
      ['--three-ds-above', '-1'],
      ['--three-ds-above', '1.005'],
      ['--three-ds-above', 'all'],
      ['--three-ds-above', '1000000'],
    ]) {
      await rejects(set(...wrong), `${wrong}`)
    }
    deepEqual(await settings(), [false, null])
  })

  test('without a 3-D Secure server it is not switched on, and can be switched off', async () => {
    const services = { db: connected.db, clock: systemClock, hasThreeDsServer: false }
    const switched = (word: string) => businessCommand(services, ['set', '--business', id, '--three-ds', word])
    await rejects(switched('on'), /three-ds needs .*THREE_DS_SERVER_URL/)
    await switched('off')
  })
})
