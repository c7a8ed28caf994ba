import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

// DSH-8: days that filter a list or an export, however far away they are.

let service: TestService
let owner: DashboardClient
let ids: Furnished
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
  ids = await furnish(service, owner, service.demo.business_id)
  const authorization = `Bearer ${service.demo.api_key}`
  await fetch(`${service.url}/api/v1/customers/${newId()}`, { headers: { authorization } })
  await until('the refused call is listed', async () => (await owner.call('GET /refusals')).body.total > 0)
})
after(() => service.close())

/** Every list with days, and the beginning of their names. */
const LISTS = [
  ['/payments', ''],
  ['/checkout_sessions', ''],
  ['/customers', ''],
  ['/subscriptions', 'next_'],
  ['/batches', 'settled_'],
  ['/events', ''],
  ['/webhook_endpoints/{id}/deliveries', ''],
  ['/refusals', ''],
  ['/audit', ''],
] as const

describe('The days of a filter (DSH-8)', () => {
  for (const [list, prefix] of LISTS) {
    const days = (from: string, to: string) => ({ [`${prefix}from`]: from, [`${prefix}to`]: to })
    const read = (query: Record<string, string>) =>
      owner.call(`GET ${list.replace('{id}', ids.webhook_endpoints ?? '')}`, { query })

    test(`of ${list} may be any that there are: all of them find everything that has a day`, async () => {
      // A bill or a settlement that is to come has no day.
      const withDay: Record<string, string> = { '/subscriptions': 'tab', '/batches': 'status' }
      const narrowed = withDay[list]
      const query = narrowed ? { [narrowed]: list === '/batches' ? 'settled' : 'active' } : {}
      const all = await read(query)
      equal(all.status, 200)
      ok(all.body.data.length > 0 || list.includes('deliveries'), list)
      for (const [from, to] of [
        ['0001-01-01', '9999-12-31'],
        ['1900-01-01', '2999-12-31'],
      ] as const) {
        const { status, body } = await read({ ...query, ...days(from, to) })
        deepEqual([status, body.total, body.data], [200, all.body.total, all.body.data], `${from} ${to}`)
      }
      equal((await read({ ...query, ...days('9999-12-31', '9999-12-31') })).body.total, 0)
      equal((await read({ ...query, ...days('0001-01-01', '0001-01-01') })).body.total, 0)
    })

    test(`of ${list} that end before they begin, or that no calendar has, are refused by name`, async () => {
      for (const [from, to, param] of [
        ['2027-03-02', '2027-03-01', 'to'],
        ['2027-02-30', '2027-03-01', 'from'],
        ['0000-01-01', '2027-03-01', 'from'],
        ['2027-03-01', '0000-12-31', 'to'],
      ] as const) {
        const { status, body } = await read(days(from, to))
        deepEqual([status, body.error.param], [422, `${prefix}${param}`], `${from} ${to}`)
      }
    })
  }

  test('are those of the exports too', async () => {
    for (const [list, prefix] of LISTS) {
      const send = (from: string, to: string) =>
        owner.call(`POST ${list.replace('{id}', ids.webhook_endpoints ?? '')}/export`, {
          body: { [`${prefix}from`]: from, [`${prefix}to`]: to },
        })
      const { status, body } = await send('0001-01-01', '9999-12-31')
      equal(status, 200, list)
      ok(String(body).trim().split('\r\n').length > 1 || list.includes('deliveries'), list)
      const wrong = await send('2027-03-02', '2027-03-01')
      deepEqual([wrong.status, wrong.body.error.param], [422, `${prefix}to`], list)
    }
  })
})
