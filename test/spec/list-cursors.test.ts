import { equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callOf, dashboardName, type Furnished, furnish, isOfBusiness, neededQuery } from '../support/furnished.ts'
import type { Response } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { type MerchantObjects, makeObjects, merchantRoutesOf, pathTo } from '../support/merchant-objects.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// API-11: every list with pages, of the merchant API and of the dashboard, refuses a cursor that is not one of its own
// objects.

let service: TestService
let foreign: MerchantObjects
let objects: MerchantObjects
let owner: DashboardClient
let furnished: Furnished
before(async () => {
  service = await openService()
  callInProcess(service)
  const other = await secondMerchant(service, { redirectUrl: 'https://shop.example' })
  foreign = await makeObjects({ ...service, demo: other.demo })
  owner = await signIn(service, { isSteppedUp: true })
  furnished = await furnish(service, owner, service.demo.business_id)
  objects = await makeObjects(service)
})
after(() => service.close())

const isPaged = ({ method, query }: Route) => method === 'GET' && 'starting_after' in (query?.properties ?? {})

/** Returns every list, with the call of one of its pages. */
function pagedLists(): { name: string; read(page: Record<string, string>): Promise<Response> }[] {
  const api = merchantApiOf(service)
  const merchant = merchantRoutesOf(service)
    .filter(isPaged)
    .map((route) => ({
      name: route.path,
      read: (page: Record<string, string>) =>
        api.get(`${pathTo(route, objects).slice('/api/v1'.length)}?${new URLSearchParams(page)}`),
    }))
  const dashboard = service.app.routes
    .filter((route) => isOfBusiness(route) && isPaged(route))
    .map((route) => ({
      name: dashboardName(route),
      read: (page: Record<string, string>) =>
        owner.call(callOf(route, furnished), { query: { ...neededQuery(dashboardName(route), furnished), ...page } }),
    }))
  ok(merchant.length >= 10 && dashboard.length >= 15, `${merchant.length} and ${dashboard.length} lists`)
  return [...merchant, ...dashboard]
}

describe('A list refuses as a cursor', () => {
  for (const param of ['starting_after', 'ending_before']) {
    test(`an id that nothing has, or that is none, in ${param}`, async () => {
      for (const { name, read } of pagedLists()) {
        equal((await read({})).status, 200, name)
        for (const cursor of [newId(), 'x', service.demo.business_id, '0199a3f1-0a28-7b21-9c04-00000000000']) {
          const { status, body } = await read({ [param]: cursor })
          equal(status, 422, `${name} ${cursor} ${JSON.stringify(body).slice(0, 200)}`)
          equal(body.error.param, param, `${name} ${cursor}`)
        }
        // API-24: a blank parameter counts as not given.
        equal((await read({ [param]: '' })).status, 200, name)
      }
    })

    test(`objects of another business in ${param}`, async () => {
      for (const { name, read } of pagedLists())
        for (const [kind, cursor] of Object.entries(foreign)) {
          const { status, body } = await read({ [param]: cursor })
          equal(status, 422, `${name} ${kind} ${JSON.stringify(body).slice(0, 200)}`)
        }
    })
  }

  test('an object of another list', async () => {
    for (const { name, read } of pagedLists()) {
      const taken: string[] = []
      for (const [kind, cursor] of Object.entries(objects))
        if ((await read({ starting_after: cursor })).status === 200) taken.push(kind)
      ok(taken.length <= 1, `${name} takes ${taken}`)
    }
  })

  test('both cursors at once', async () => {
    for (const { name, read } of pagedLists()) {
      const { status, body } = await read({ starting_after: newId(), ending_before: newId() })
      equal(status, 422, name)
      equal(body.error.param, 'ending_before', name)
    }
  })

  test('an event that went to another endpoint, among the deliveries of one', async () => {
    const read = (id: string, cursor: string) =>
      owner.call(`GET /webhook_endpoints/${id}/deliveries`, { query: { starting_after: cursor } })
    equal((await read(objects.webhook_endpoints, objects.events)).status, 200)
    equal((await read(furnished.webhook_endpoints ?? '', objects.events)).status, 422)
  })
})
