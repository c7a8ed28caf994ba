import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { send } from '../support/merchant.ts'
import { type MerchantObjects, makeObjects, merchantRoutesOf, pathTo } from '../support/merchant-objects.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// API-14: every route that writes refuses a body that is not an object, including routes that need no body.

/** Bodies that are not objects; an empty list counts as an empty object (API-24). */
const NO_OBJECTS = [[{}], 'x', 5, true, null]

let service: TestService
let objects: MerchantObjects
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  objects = await makeObjects(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

const writes = ({ method }: Route) => method !== 'GET'
const takesNothing = ({ body }: Route) => body === undefined

describe('A body that is not an object is 422', () => {
  test('at every path of the merchant API that writes', async () => {
    const routes = merchantRoutesOf(service).filter(writes)
    ok(routes.filter(takesNothing).length >= 5)
    for (const route of routes)
      for (const body of NO_OBJECTS) {
        const { status, body: refused } = await send(service.url + pathTo(route, objects), {
          method: route.method,
          headers: { authorization: `Bearer ${service.demo.api_key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
        const what = `${route.method} ${route.path} ${JSON.stringify(body)} ${JSON.stringify(refused)}`
        equal(status, 422, what)
        deepEqual([refused.error.code, refused.error.param], ['parameter_invalid', null], what)
      }
    // Nothing was deleted, ended or sent meanwhile.
    const kept = await send(`${service.url}/api/v1/webhook_endpoints/${objects.webhook_endpoints}`, {
      headers: { authorization: `Bearer ${service.demo.api_key}` },
    })
    equal(kept.body.status, 'enabled')
  })

  test('at every path of the dashboard that writes', async () => {
    const routes = service.app.routes.filter((route) => route.access.name === 'session' && writes(route))
    ok(routes.filter(takesNothing).length >= 20)
    for (const route of routes)
      for (const body of NO_OBJECTS) {
        const path = route.path.replace('{business_id}', service.demo.business_id).replace(/\{\w+\}/g, newId())
        const { status, body: refused } = await owner.call(`${route.method} ${path}`, { body })
        const what = `${route.method} ${route.path} ${JSON.stringify(body)} ${JSON.stringify(refused)}`
        equal(status, 422, what)
        equal(refused.error.code, 'parameter_invalid', what)
      }
  })
})
