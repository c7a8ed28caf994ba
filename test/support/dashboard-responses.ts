import { equal, ok } from 'node:assert/strict'
import type { Route } from '../../server/http/route.ts'
import { newId } from '../../server/lib/ids.ts'
import type { DashboardClient } from './dashboard.ts'
import { callOf, dashboardName, furnish, isOfBusiness, neededQuery } from './furnished.ts'
import { readPdf } from './read-pdf.ts'
import type { TestService } from './service.ts'

interface ListedPayment {
  id: string
  session: string | null
  status: string
}

/** Whether the response is public: the numbers of the simulator's cards are. */
const isPublic = (route: Route) => dashboardName(route) === 'GET /test_cards'
const isDocument = ({ path }: Route) => /receipt|invoice|\/pdf$/.test(path)
const isRead = ({ method, path }: Route) => method === 'GET' || path.endsWith('/export')
const isOfPerson = ({ method, path }: Route) =>
  method === 'GET' && /^\/dashboard\/(api|auth)\//.test(path) && !path.includes('{business_id}')

/** Yields what every path of the dashboard responds to an owner: reads and exports first, then refusals. */
export async function* dashboardResponses(
  service: TestService,
  owner: DashboardClient,
  payments: readonly ListedPayment[],
): AsyncGenerator<{ name: string; text: string }> {
  const ids = await furnish(service, owner, service.demo.business_id)
  const called = async (name: string, options: object, succeeds: boolean) => {
    const { status, body } = await owner.call(name, options)
    ok(succeeds ? status === 200 : status < 500, `${name} ${status} ${JSON.stringify(body).slice(0, 200)}`)
    return { name, text: typeof body === 'string' ? body : JSON.stringify(body) }
  }
  const ofBusiness = service.app.routes.filter((route) => isOfBusiness(route) && !isPublic(route) && !isDocument(route))
  for (const route of ofBusiness.filter(isRead)) {
    const query = neededQuery(dashboardName(route), ids)
    yield await called(callOf(route, ids), route.method === 'GET' ? { query } : { body: {} }, true)
  }
  for (const { id, session, status } of payments) {
    yield await called(`GET /payments/${id}`, {}, true)
    yield await called(`GET /payments/${id}/timeline`, {}, true)
    if (session) yield await called(`GET /checkout_sessions/${session}`, {}, true)
    if (status === 'succeeded')
      yield { name: `receipt ${id}`, text: await documentText(service, owner, `/payments/${id}/receipt`) }
  }
  const [contractPdf] = service.app.routes.filter(({ path }) => path.endsWith('/contracts/{id}/pdf'))
  ok(contractPdf)
  const name = callOf(contractPdf, ids)
  yield { name, text: await documentText(service, owner, name.replace('GET ', '')) }
  for (const { method, path } of service.app.routes.filter(isOfPerson))
    yield await called(`${method} ${path.replace(/\{\w+\}/g, newId())}`, {}, false)
  for (const route of ofBusiness.filter((one) => !isRead(one)))
    yield await called(callOf(route, ids), route.method === 'DELETE' ? {} : { body: {} }, false)
}

async function documentText(service: TestService, { cookie }: DashboardClient, path: string): Promise<string> {
  const url = `${service.formUrl}/dashboard/api/b/${service.demo.business_id}${path}`
  const response = await fetch(url, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })
  equal(response.status, 200, path)
  return JSON.stringify(await readPdf(Buffer.from(await response.arrayBuffer())))
}
