import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { searchWords } from '../../contract/search-text.ts'
import { newId } from '../../server/lib/ids.ts'
import { csvTable } from '../support/csv-table.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { otherSpelling, someName } from '../support/names-of-the-world.ts'
import { openService, type TestService } from '../support/service.ts'
import { waitingSubscription } from '../support/sign-up.ts'

// DSH-175: every text search ignores case, accents, typographic apostrophes and the order of words.

let service: TestService
let owner: DashboardClient
let merchant: Merchant
let api: MerchantApiClient
before(async () => {
  service = await openService()
  owner = await signIn(service, { isSteppedUp: true })
  merchant = merchantOf(service)
  api = merchantApiOf(service)
})
after(() => service.close())

async function made(name: string, body: object): Promise<string> {
  const response = await owner.call(name, { body })
  equal(response.status, 201, JSON.stringify(response.body))
  return response.body.id
}
const customer = (name: string) => made('POST /customers', { name, email: `${newId()}@example.com` })
const product = (name: string) => made('POST /products', { name })
const price = async (more: object) => made('POST /prices', { product: await product('Tea'), unit_amount: 100, ...more })
const session = async (more: Record<string, unknown>) =>
  (await merchant.createSession(more)).body.checkout_session.id as string
const contract = async (title: string) =>
  made('POST /contracts', { customer: await customer('C'), title, text: 'I agree.' })

const read = (name: string, query: Record<string, string | number>) => async () => {
  const { status, body } = await owner.call(name, { query })
  equal(status, 200, JSON.stringify(body))
  return (body.data as { id: string }[]).map(({ id }) => id)
}
const list = (path: string, field: string) => (text: string) => read(`GET ${path}`, { [field]: text, limit: 50 })()
const file = (path: string, body: (text: string) => object) => async (text: string) => {
  const response = await owner.call(`POST ${path}/export`, { body: body(text) })
  equal(response.status, 200, JSON.stringify(response.body))
  const [header = [], ...rows] = csvTable(response.body.replace(/^\ufeff/, ''))
  return rows.map((row) => row[header.indexOf('id')] ?? '')
}
const search = (text: string) => read('GET /search', { q: text })()
const sessions = async (text: string) => {
  const { body } = await merchant.get(`/checkout-sessions?${new URLSearchParams({ customer: text, perPage: '100' })}`)
  return (body.checkout_sessions.data as { id: string }[]).map(({ id }) => id)
}

interface Surface {
  make(name: string): Promise<string>
  finds: Record<string, (text: string) => Promise<string[]>>
}

const SURFACES: Record<string, Surface> = {
  'a customer': {
    make: customer,
    finds: {
      'GET /customers search': list('/customers', 'search'),
      'POST /customers/export search': file('/customers', (text) => ({ search: text })),
      'GET /search q': search,
    },
  },
  'a product': {
    make: product,
    finds: {
      'GET /products q': list('/products', 'q'),
      'POST /products/export q': file('/products', (q) => ({ q })),
      'GET /search q': search,
    },
  },
  'a price by its nickname': {
    make: (nickname) => price({ nickname }),
    finds: { 'GET /prices/search q': list('/prices/search', 'q') },
  },
  'a price by its reference': {
    make: (reference) => price({ metadata: { reference } }),
    finds: { 'GET /prices/search q': list('/prices/search', 'q') },
  },
  'a session by its customer': {
    make: (customer_name) => session({ customer_name, customer_email: `${newId()}@example.com` }),
    finds: {
      'GET /checkout_sessions customer': list('/checkout_sessions', 'customer'),
      'POST /checkout_sessions/export customer': file('/checkout_sessions', (text) => ({ customer: text })),
      'GET /api/{business_id}/checkout-sessions customer': sessions,
      'GET /search q': search,
    },
  },
  'a session by a customer it is bound to': {
    make: async (name) => session({ customer_id: await customer(name) }),
    finds: {
      'GET /checkout_sessions customer': list('/checkout_sessions', 'customer'),
      'GET /api/{business_id}/checkout-sessions customer': sessions,
    },
  },
  'a session by its description': {
    make: (description) => session({ description }),
    finds: { 'GET /search q': search },
  },
  'a session by its reference': {
    make: (reference) => session({ client_reference_id: reference }),
    finds: { 'GET /search q': search },
  },
  'a contract': {
    make: contract,
    finds: {
      'GET /contracts search': list('/contracts', 'search'),
      'POST /contracts/export search': file('/contracts', (text) => ({ search: text })),
      'GET /search q': search,
    },
  },
  'a contract by its customer': {
    make: async (name) => made('POST /contracts', { customer: await customer(name), title: 'Terms', text: 'I agree.' }),
    finds: { 'GET /contracts search': list('/contracts', 'search'), 'GET /search q': search },
  },
  'a subscription by its reference': { make: referred, finds: { 'GET /search q': search } },
}

async function referred(reference: string): Promise<string> {
  const { id } = await waitingSubscription(api)
  const { version } = (await owner.call(`GET /subscriptions/${id}`)).body
  equal((await owner.call(`PATCH /subscriptions/${id}`, { body: { version, reference } })).status, 200)
  return id
}

const NAME = 'Zoë Łucja O’Brïen Großmüller-Ærø'
const TYPED = [
  'ZOE',
  'obrien zoe',
  "o'brien",
  'O\u02bcBRIEN lucja',
  'Zoe\u0308  GROSSMU\u0308LLER',
  'grossmüller-aero',
  'müller ærø łu',
  'Großmuller, Zoé',
  'ＺＯＥ',
]
const NOT_IT = ['zoe lucy', 'grossmueller', 'aero-grossmuller']

describe('Every search finds without accents (DSH-175)', () => {
  for (const [what, { make, finds }] of Object.entries(SURFACES))
    test(what, async () => {
      const id = await make(NAME)
      await make('Zoe Lu')
      for (const [surface, find] of Object.entries(finds)) {
        for (const text of TYPED) ok((await find(text)).includes(id), `${surface}: ${text}`)
        for (const text of NOT_IT) equal((await find(text)).includes(id), false, `${surface}: ${text}`)
      }
    })

  test('the list of subscriptions, by the beginning of a reference', async () => {
    const id = await referred(NAME)
    const find = list('/subscriptions', 'reference')
    for (const text of ['zoe lucja', 'ZOË ŁUC', 'Zoe\u0308 lucja obrien grossmuller aero'])
      ok((await find(text)).includes(id), text)
    equal((await find('lucja')).includes(id), false)
  })

  test('names of many scripts, however they are typed', async (t) => {
    const names = fc.sample(
      someName().chain((name) => otherSpelling(name).map((typed) => ({ name, typed }))),
      20,
    )
    t.diagnostic(`${names.length} names`)
    for (const { name, typed } of names)
      for (const what of ['a customer', 'a product', 'a session by its customer', 'a contract']) {
        const { make, finds } = SURFACES[what] as Surface
        const id = await make(name)
        for (const [surface, find] of Object.entries(finds)) {
          // Too many words begin with a single letter.
          if (surface === 'GET /search q' && searchWords(typed).every((word) => word.length === 1)) continue
          ok((await find(typed)).includes(id), `${surface}: ${typed} for ${name}`)
        }
      }
  })

  test('as the name is now, and not as it was', async () => {
    const id = await customer('Jürgen Żak')
    const { version } = (await owner.call(`GET /customers/${id}`)).body
    equal((await owner.call(`PATCH /customers/${id}`, { body: { version, name: 'Åsa Ødegård' } })).status, 200)
    for (const find of Object.values(SURFACES['a customer']?.finds ?? {})) {
      equal((await find('zak jurgen')).includes(id), false)
      ok((await find('odegard')).includes(id))
    }
  })

  test('a text without letters finds nothing', async () => {
    await customer("d'Or-Mo")
    for (const text of ["'", '-', ' - \u2019 ', '\u0301'])
      deepEqual(await list('/customers', 'search')(text), [], JSON.stringify(text))
  })
})

/** Texts in a query that are compared exactly. */
const EXACT = [
  'GET /audit about',
  'GET /audit actor',
  'GET /catalog/figures products',
  'GET /checkout_sessions reference',
  'GET /refusals code',
  'GET /settings/letters/preview letter',
  'GET /settings/letters/preview/html letter',
]

test('no other route of the dashboard searches by text', () => {
  const found = service.app.routes.flatMap(({ method, path, rights, query }) => {
    if (rights === undefined || method !== 'GET') return []
    const fields = Object.entries((query?.properties ?? {}) as Record<string, { type?: string; format?: string }>)
    const texts = fields.filter(([, { type, format }]) => type === 'string' && format === 'line')
    return texts.map(([field]) => `GET ${path.replace(/^.*\/\{business_id\}/, '')} ${field}`)
  })
  const tested = Object.values(SURFACES).flatMap(({ finds }) => Object.keys(finds))
  const known = new Set([...tested, ...EXACT, 'GET /subscriptions reference'])
  deepEqual(
    [...new Set(found)].filter((one) => !known.has(one)),
    [],
  )
  ok(found.length >= 8, found.join())
})
