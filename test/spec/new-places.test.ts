import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { dashboardName, isOfBusiness } from '../support/furnished.ts'
import { type Field, fieldsOf, type JsonSchema } from '../support/schema-fields.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// DSH-94: a change that sends data, money or people to a new place requires a recent step-up.

const ALWAYS = 'always'
const IF_NEW = 'if new'

/**
 * Every field of a change that names a place: whether step-up is required, and otherwise why not. A test finds the
 * fields in the schemas of all routes.
 */
const PLACES: Record<string, string> = {
  'POST /webhook_endpoints url': ALWAYS,
  'PATCH /webhook_endpoints/{id} url': IF_NEW,
  'POST /oauth_clients redirect_url': ALWAYS,
  'PATCH /oauth_clients/{id} redirect_url': IF_NEW,
  'POST /allowed_ips address': ALWAYS,
  'POST /allowed_ips/remove address': ALWAYS,
  'POST /api_keys allowed_ips': ALWAYS,
  'POST /api_keys/{id}/rotate allowed_ips': ALWAYS,
  'POST /team/invitations email': ALWAYS,
  'PATCH /settings support_email': IF_NEW,
  'PATCH /settings terms_url': IF_NEW,
  'PATCH /settings privacy_url': IF_NEW,
  'PATCH /settings/letters reply_to': IF_NEW,
  'PATCH /settings/letters notified_emails': IF_NEW,
  'PATCH /settings postal_address': 'is printed on invoices; nothing is sent there',
  'POST /customers email': 'the place of one customer, of whom the business has nothing yet',
  'PATCH /customers/{id} email': 'the place of one customer, changed every day by support',
  'POST /checkout_sessions customer_email': 'the place of one payer',
  'POST /subscriptions new_customer.email': 'the place of one customer, of whom the business has nothing yet',
}

const NAMES = /url|email|origin|address|redirect|webhook_url|host|ips?$/
const FORMATS = new Set(['email', 'url', 'ip', 'uri'])

let service: TestService
let owner: DashboardClient
let proved: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
  proved = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

const formatsOf = ({ format, anyOf = [], items }: JsonSchema): (string | undefined)[] => [
  format,
  ...anyOf.flatMap(formatsOf),
  ...(items ? formatsOf(items) : []),
]
const isText = ({ type, anyOf = [], items }: JsonSchema): boolean =>
  [type].flat().includes('string') || anyOf.some(isText) || (items !== undefined && isText(items))
const namesPlace = ({ path, schema }: Field) =>
  path.at(-1) !== '0' &&
  isText(schema) &&
  (formatsOf(schema).some((format) => FORMATS.has(format ?? '')) || NAMES.test(path.at(-1) ?? ''))

const changes = () =>
  service.app.routes.filter(
    (route) => isOfBusiness(route) && !['read', 'preview', 'export'].includes(route.rights?.kind ?? ''),
  )

describe('A change that names a place (DSH-94)', () => {
  test('is in the table, with its proof or the reason why it needs none', (t) => {
    const found = changes().flatMap((route) =>
      (route.body ? fieldsOf(route.body) : []).filter(namesPlace).map(({ name }) => `${dashboardName(route)} ${name}`),
    )
    t.diagnostic(`${changes().length} changes, ${found.length} fields with a place`)
    deepEqual(found.sort(), Object.keys(PLACES).sort())
  })

  test('is declared so by its route', () => {
    for (const [field, proof] of Object.entries(PLACES)) {
      const route = changes().find((one) => field.startsWith(`${dashboardName(one)} `))
      const declared = route?.rights?.stepUp
      if (proof === ALWAYS) equal(declared, 'always', field)
      if (proof === IF_NEW) equal(declared, 'sometimes', field)
    }
  })

  /** The object that a PATCH changes, in its current state. */
  const TARGETS: Record<string, () => Promise<{ name: string; read: string; more?: object }>> = {
    'PATCH /settings': async () => ({ name: 'PATCH /settings', read: 'GET /settings' }),
    'PATCH /settings/letters': async () => ({ name: 'PATCH /settings/letters', read: 'GET /settings' }),
    'PATCH /webhook_endpoints/{id}': async () => {
      const body = { url: 'https://shop.example/first', enabled_events: ['*'] }
      const { id } = (await proved.call('POST /webhook_endpoints', { body })).body
      return { name: `PATCH /webhook_endpoints/${id}`, read: `GET /webhook_endpoints/${id}` }
    },
    'PATCH /oauth_clients/{id}': async () => {
      const body = { name: 'Shop', redirect_url: 'https://shop.example/first' }
      const { id } = (await proved.call('POST /oauth_clients', { body })).body
      return { name: `PATCH /oauth_clients/${id}`, read: `GET /oauth_clients ${id}` }
    },
  }
  const read = async (from: string) => {
    const [method, path, id] = from.split(' ')
    const { body } = await owner.call(`${method} ${path}`)
    return id ? body.data.find((one: { id: string }) => one.id === id) : body
  }
  const placeFor = (field: string, name: string) => {
    if (field === 'notified_emails') return [`${name}@place.example`]
    return field.endsWith('url') ? `https://place.example/${name}` : `${name}@place.example`
  }

  for (const [place, proof] of Object.entries(PLACES)) {
    if (proof !== IF_NEW) continue
    const [method, path, field = ''] = place.split(' ')
    test(`${place}: only with a proof goes to a new place; stays and goes away without`, async () => {
      const target = await TARGETS[`${method} ${path}`]?.()
      ok(target)
      const send = async (by: DashboardClient, value: unknown) => {
        const { version } = await read(target.read)
        const { status, body } = await by.call(target.name, { body: { version, [field]: value } })
        return [status, body.error?.code ?? null]
      }
      const given = (await read(target.read))[field]
      deepEqual(await send(owner, placeFor(field, 'new')), [403, 'step_up_required'])
      deepEqual((await read(target.read))[field], given)
      deepEqual(await send(proved, placeFor(field, 'new')), [200, null])
      deepEqual(await send(owner, placeFor(field, 'new')), [200, null])
      deepEqual(await send(owner, placeFor(field, 'other')), [403, 'step_up_required'])
      deepEqual((await read(target.read))[field], placeFor(field, 'new'))
      // Endpoints and clients always have a URL.
      if (path?.startsWith('/settings'))
        deepEqual(await send(owner, field === 'notified_emails' ? [] : null), [200, null])
    })
  }
})
