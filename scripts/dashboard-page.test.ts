import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { PERMISSIONS } from '../contract/permissions.ts'
import type { Route } from '../server/http/route.ts'
import { fieldsOf } from '../test/support/schema-fields.ts'
import { dashboardPage, dashboardRoutesOfApp } from './dashboard-page.ts'

let routes: Route[]
before(async () => {
  routes = await dashboardRoutesOfApp()
})
const PREFIX = '/dashboard/api/b/{business_id}'
const nameOf = ({ method, path }: Route) => `${method} ${path}`

describe('The routes of the dashboard (DEF-3)', () => {
  test('are those of docs/reference/dashboard-api.md: `npm run docs:dashboard` prints it anew', async () => {
    equal(await readFile(new URL('../docs/reference/dashboard-api.md', import.meta.url), 'utf8'), dashboardPage(routes))
  })

  test('each have one permission; each change has a name in the audit log (DSH-2, DSH-15)', () => {
    for (const route of routes) {
      const { rights } = route
      ok(rights && PERMISSIONS.includes(rights.permission), nameOf(route))
      const isChange = rights.kind !== 'read' && rights.kind !== 'preview'
      equal(/^[a-z_]+\.[a-z_]+$/.test(rights.action ?? ''), isChange, nameOf(route))
      equal(rights.kind === 'read', route.method === 'GET', nameOf(route))
    }
  })

  test("change nothing with a permission to read, but for one's own views and leaving a team", () => {
    const wrong = routes.filter(({ rights }) => {
      const isChange = rights && !['read', 'preview', 'export'].includes(rights.kind)
      return isChange && /\.read(_own)?$/.test(rights.permission)
    })
    deepEqual(wrong.map(({ path }) => path.slice(path.indexOf('}') + 1)).sort(), [
      '/team/leave',
      '/views',
      '/views/{id}',
      '/views/{id}',
    ])
  })

  test('that move money, decide about missed bills, change a card or make a credential happen once (DSH-4)', () => {
    const money =
      /\/(refunds|voids|sales|resume|retry|catch_up|payment_method|batches\/current\/settle)$|^POST \/subscriptions$/
    const credentials = /^POST \/(api_keys|oauth_clients|google_pay_keys|webhook_endpoints)$|\/rotate(_secret)?$/
    const wrong = routes
      .map((route) => ({ name: nameOf(route).replace(PREFIX, ''), kind: route.rights?.kind }))
      .filter(
        ({ name, kind }) => name.startsWith('POST') && (money.test(name) || credentials.test(name)) && kind !== 'once',
      )
    deepEqual(wrong, [])
  })

  test('ask again who the person is: for credentials, new places, people, limits; above limits (DSH-12)', () => {
    const asking = (stepUp: 'always' | 'sometimes') =>
      routes.filter(({ rights }) => rights?.stepUp === stepUp).map((route) => nameOf(route).replace(PREFIX, ''))
    deepEqual(asking('always').sort(), [
      'DELETE /team/invitations/{id}',
      'DELETE /team/members/{id}',
      'PATCH /settings/limits',
      'PATCH /team/members/{id}',
      'POST /allowed_ips',
      'POST /allowed_ips/remove',
      'POST /api_keys',
      'POST /api_keys/{id}/revoke',
      'POST /api_keys/{id}/rotate',
      'POST /google_pay_keys',
      'POST /google_pay_keys/{id}/retire',
      'POST /oauth_clients',
      'POST /oauth_clients/{id}/revoke',
      'POST /oauth_clients/{id}/rotate_secret',
      'POST /team/invitations',
      'POST /team/leave',
      'POST /team/members/{id}/reset-factors',
      'POST /team/ownership',
      'POST /webhook_endpoints',
      'POST /webhook_endpoints/{id}/rotate_secret',
    ])
    deepEqual(asking('sometimes').sort(), [
      'PATCH /oauth_clients/{id}',
      'PATCH /settings',
      'PATCH /settings/letters',
      'PATCH /webhook_endpoints/{id}',
      'POST /customers/export',
      'POST /payments/{id}/refunds',
      'POST /payments/{id}/voids',
    ])
  })

  test('that edit take the version that was seen, but for one that gives a whole view (DSH-4)', () => {
    const edits = routes.filter(({ method }) => method === 'PATCH')
    const without = edits.filter(({ body }) => !fieldsOf(body ?? {}).some(({ path }) => path.join() === 'version'))
    deepEqual(
      without.map(({ path }) => path.split('}/')[1]),
      ['views/{id}'],
    )
  })

  test('are listed once each', () => {
    equal(new Set(routes.map(nameOf)).size, routes.length)
  })
})
