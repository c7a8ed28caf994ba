import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { CustomerCreate, CustomerUpdate } from '../../contract/customer.ts'
import { INTERVALS, PriceCreate, PriceUpdate } from '../../contract/price.ts'
import { ProductCreate, ProductUpdate } from '../../contract/product.ts'
import { textReader } from '../../server/http/text-fields.ts'
import { newId } from '../../server/lib/ids.ts'
import { cpuMs } from '../support/cpu-time.ts'
import type { Response } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { type Body, type Given, nearlyValidBodies, validBodies } from '../support/schema-arbitrary.ts'
import type { JsonSchema } from '../support/schema-fields.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// API-4, CHK-13: valid input is stored exactly as sent; nearly valid input is refused, naming the invalid field. A
// failing run prints its counterexample.

const RUNS = { numRuns: 80, seed: 20_261_122, endOnFailure: true }
const ANSWER_WITHIN_MS = 1_000

let service: TestService
let api: MerchantApiClient
let product: string
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
  product = (await api.made('/products', { name: 'Gold' })).id
})
after(() => service.close())

const CADENCES = { day: [1], week: [1, 2], month: [1, 3, 6], year: [1] }
const recurring = fc.constantFrom(
  ...INTERVALS.flatMap((interval) => [
    { interval },
    ...CADENCES[interval].map((interval_count) => ({ interval, interval_count })),
  ]),
)
/** Created on demand, because the product exists only then. */
const ofProduct = (): Given => ({ product: fc.constant(product), recurring })

interface Kind {
  path: string
  create: TSchema
  update: TSchema
  given(): Given
  /** The object if nothing is sent. */
  absent: Body
}

const KINDS: Kind[] = [
  {
    path: '/customers',
    create: CustomerCreate,
    update: CustomerUpdate,
    given: () => ({}),
    absent: { name: null, email: null, phone: null, metadata: {} },
  },
  {
    path: '/products',
    create: ProductCreate,
    update: ProductUpdate,
    given: () => ({}),
    absent: { description: null, active: true, metadata: {}, prices: [], prices_has_more: false },
  },
  {
    path: '/prices',
    create: PriceCreate,
    update: PriceUpdate,
    given: ofProduct,
    absent: { recurring: null, nickname: null, active: true, metadata: {}, currency: 'usd' },
  },
]

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === ''
const isNamed = ({ name, email }: Body) => Boolean((name && !isBlank(name)) || email)

/** Returns the object as it must be shown. */
function shown(body: Body, before: Body): Body {
  const { metadata, recurring: often, ...rest } = body
  return {
    ...before,
    ...rest,
    ...('metadata' in body && { metadata: metadata ?? {} }),
    ...(often !== undefined && { recurring: { interval_count: 1, ...(often as object) } }),
  }
}

/** Returns those of its members that a body can set. */
function seen({ body }: Response): Body {
  const { id: _id, object: _object, created: _created, ...rest } = body
  return rest
}

/** Fields in which surrounding blanks are removed (API-24). */
const TRIMMED = ['name', 'nickname', 'email', 'phone']

/** Returns the body as it is read: in NFC, and trimmed if it is a name or contact data. */
function asRead(body: Body): Body {
  const trim = ([key, value]: [string, unknown]) => [
    key,
    TRIMMED.includes(key) && typeof value === 'string' ? value.trim() : value,
  ]
  return Object.fromEntries(Object.entries(textReader()(body) as Body).map(trim))
}

/** Returns the body as it is read on create: a blank text counts as not given. */
function asCreated(body: Body): Body {
  return Object.fromEntries(Object.entries(asRead(body)).filter(([, value]) => !isBlank(value)))
}

for (const { path, create, update, given, absent } of KINDS) {
  describe(`Bodies for ${path}`, () => {
    const creations = () => validBodies(create, given()).filter((body) => path !== '/customers' || isNamed(body))

    test('what is valid is made, and read back exactly', async () => {
      const property = fc.asyncProperty(creations(), async (body) => {
        const made = await api.post(path, body)
        equal(made.status, 201, JSON.stringify(made.body))
        deepEqual(seen(made), shown(asCreated(body), absent))
        deepEqual((await api.get(`${path}/${made.body.id}`)).body, made.body)
        const { prices: _, prices_has_more: _more, ...listed } = made.body
        deepEqual((await api.get(`${path}?limit=1`)).body.data, [listed])
      })
      await fc.assert(property, RUNS)
    })

    test('a change that is valid is kept, and read back exactly', async () => {
      const property = fc.asyncProperty(creations(), validBodies(update), async (body, change) => {
        const made = await api.made(path, body)
        const expected = shown(asRead(change), shown(asCreated(body), absent))
        fc.pre(path !== '/customers' || isNamed(expected))
        const changed = await api.patch(`${path}/${made.id}`, change)
        equal(changed.status, 200, JSON.stringify(changed.body))
        deepEqual(seen(changed), expected)
        deepEqual((await api.get(`${path}/${made.id}`)).body, changed.body)
      })
      await fc.assert(property, RUNS)
    })

    test('with one wrong field it is refused, that field is named, and nothing is made', async () => {
      const newest = async () => (await api.get(`${path}?limit=1`)).body.data
      const before = await newest()
      const property = fc.asyncProperty(nearlyValidBodies(create, 'create', given()), async ({ body, param }) => {
        assertMerchantRefused(await api.post(path, body), 422, 'parameter_invalid', param)
      })
      await fc.assert(property, RUNS)
      deepEqual(await newest(), before)
    })

    test('a change with one wrong field is refused, that field is named, and nothing is changed', async () => {
      const { id, ...made } = await api.made(path, { ...GOOD, product })
      const property = fc.asyncProperty(nearlyValidBodies(update, 'change'), async ({ body, param }) => {
        assertMerchantRefused(await api.patch(`${path}/${id}`, body), 422, 'parameter_invalid', param)
      })
      await fc.assert(property, RUNS)
      deepEqual((await api.get(`${path}/${id}`)).body, { id, ...made })
    })

    test('a text that is meant to be slow to check is refused within a second (ATT-51)', async () => {
      const { properties = {} } = create as JsonSchema
      for (const [name, { type }] of Object.entries(properties)) {
        if (![type].flat().includes('string')) continue
        for (const piece of ['a', 'a.', 'a@', 'a@a.', '-', '\u0301', '( ', '1 ', '\\', "'"]) {
          const text = piece.repeat(Math.floor(30_000 / Buffer.byteLength(piece)))
          const from = cpuMs()
          const response = await api.post(path, { ...GOOD, product, email: `${newId()}@example.com`, [name]: text })
          ok(cpuMs() - from < ANSWER_WITHIN_MS, `${name} of ${piece}`)
          assertMerchantRefused(response, 422, 'parameter_invalid', name)
        }
      }
    })
  })
}

const GOOD = { name: 'Ana', unit_amount: 100 }

test('API-24: blanks around the name, e-mail address and phone number of a customer are not kept', async () => {
  const spaced = (email: string) => ({ name: ' Ana ', email: ` ${email} `, phone: '\t+1 514 555 0100 ' })
  const seenOf = ({ name, email, phone }: Body) => ({ name, email, phone })
  const kept = (email: string) => ({ name: 'Ana', email, phone: '+1 514 555 0100' })
  const made = await api.made('/customers', spaced('ana@example.com'))
  deepEqual(seenOf(made), kept('ana@example.com'))
  deepEqual(seenOf((await api.patch(`/customers/${made.id}`, spaced('roy@example.com'))).body), kept('roy@example.com'))
})

test('nothing failed inside', () => equal(service.logged().includes('request failed'), false))
