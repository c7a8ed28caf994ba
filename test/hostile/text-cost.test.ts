import { equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { BODY_BYTES_MAX } from '../../server/http/server.ts'
import { newId } from '../../server/lib/ids.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, type Response, send } from '../support/merchant.ts'
import { openService, type TestService } from '../support/service.ts'

// SEC-24: the processing time of any text is bounded, on every path and before any credential is checked.

const CPU_MS_MAX = 50
/** Maximum attempts: garbage collection, or a processor shared with others, may slow some attempts, but not all. */
const ATTEMPTS_MAX = 12
const RUNS = { numRuns: 250, endOnFailure: true }

let service: TestService
let owner: DashboardClient
let session: string
before(async () => {
  service = await openService()
  owner = await signIn(service, { isSteppedUp: true })
  session = await merchantOf(service).sessionToken()
})
after(() => service.close())

/**
 * Expensive texts: marks of several classes, which must be sorted; letters that become marks, digits, or many letters.
 */
const HARD = [
  '\u0301\u0316',
  '\u0f73\u0f71\u0f72',
  '\uff9e\u0301',
  '\u0e33\u0e38',
  '\u05b0\u0591\u05b4',
  '\u3099\u302a',
  `a${'\u0301\u0316'.repeat(15)}`,
  '%34%20',
  '4 ',
  '4.',
  '+4',
  '\u0664 ',
  '\u0664',
  '\u{1d7ff} ',
  '\u2473 ',
  '4242424242424 ',
  '0a0a0a0a-',
  '\ufdfa',
  '\u3358',
  '\u1100\u1161\u11a8',
  '\u200b4',
  ' ',
  '\u00a0',
  '0',
  '\\',
  '[a]',
  'card.',
  '\u{1f468}\u200d\u{1f469}',
]

/** Generates some neighbours in any block of Unicode, so that every script occurs. */
const anyScript = fc
  .tuple(fc.nat({ max: 0x1_ffff }), fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 }))
  .map(([block, offsets]) =>
    offsets
      .map((offset) => String.fromCodePoint(block + offset))
      .join('')
      .toWellFormed(),
  )
const piece = fc.oneof(
  fc.constantFrom(...HARD),
  anyScript,
  fc.tuple(fc.constantFrom(...HARD), anyScript).map((two) => two.join('')),
)

const filled = (text: string, bytes: number) =>
  text.repeat(Math.floor(bytes / Buffer.byteLength(JSON.stringify(text).slice(1, -1))))

/** Places in JSON for a long text, or for many short ones. */
const JSON_SHAPES: Record<string, (text: string, field: string) => string> = {
  'a value': (text, field) => `{${JSON.stringify(field)}:${JSON.stringify(filled(text, 65_000))}}`,
  'a value that nobody knows': (text) => `{"unknown":${JSON.stringify(filled(text, 65_000))}}`,
  'a key': (text) => `{${JSON.stringify(filled(text, 65_000))}:1}`,
  'a key of metadata': (text) => `{"metadata":{${JSON.stringify(filled(text, 65_000))}:"x"}}`,
  'nested keys': (text) => `${`{${JSON.stringify(filled(text, 3_200))}:`.repeat(19)}1${'}'.repeat(19)}`,
  'many keys': (text) => shortened((count) => members(count, (index) => `${JSON.stringify(index + text)}:1`)),
  'many values': (text, field) =>
    shortened((count) => `{${JSON.stringify(field)}:[${Array(count).fill(JSON.stringify(text)).join()}]}`),
  'many objects': (text) =>
    shortened(
      (count) =>
        `{"line_items":[${Array(count)
          .fill(`{${JSON.stringify(text)}:1}`)
          .join()}]}`,
    ),
}
const members = (count: number, member: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => member(index)).join()}}`

/** Returns the body with as many members as fit. */
function shortened(bodyOf: (count: number) => string): string {
  const bytes = Buffer.byteLength(bodyOf(100)) / 100
  return bodyOf(Math.floor((BODY_BYTES_MAX - 1_000) / (bytes + 4)))
}

/** @returns the processor time of the fastest attempt */
async function costOf(ask: () => Promise<Response>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS_MAX && least > CPU_MS_MAX; attempt += 1) {
    const from = cpuMs()
    const { status } = await ask()
    ok(status < 500 && status !== 413, `${status}`)
    least = Math.min(least, cpuMs() - from)
  }
  return least
}

async function cheap(what: string, ask: () => Promise<Response>): Promise<void> {
  const cost = await costOf(ask)
  ok(cost <= CPU_MS_MAX, `${what}: ${Math.round(cost)} ms`)
}

const takers = () =>
  service.app.routes.filter(
    ({ method, body, document, takesCardData, acceptsForm }) =>
      method !== 'GET' && (body || document?.body || takesCardData || acceptsForm),
  )

function sendTo(index: number, body: string, type = 'application/json'): Promise<Response> {
  const { demo } = service
  const all = takers()
  const route = all[index % all.length] as (typeof all)[number]
  const isForm = /^\/(?:dashboard|customer)\//.test(route.path)
  const credential = { bearer: demo.access_token, 'secret key': demo.api_key }[route.access.name as string]
  const path = route.path
    .replace('{business_id}', demo.business_id)
    .replace(/\{(session_)?token\}/, session)
    .replace(/\{\w+\}/g, newId())
  const headers = {
    'content-type': type,
    ...(credential && { authorization: `Bearer ${credential}` }),
    ...(isForm && {
      cookie: owner.cookie,
      'sec-fetch-site': 'same-origin',
      origin: service.formUrl,
      'x-csrf-token': owner.csrf,
      'idempotency-key': newId(),
    }),
  }
  return send((isForm ? service.formUrl : service.url) + path, { method: route.method, headers, body })
}

const fieldOf = (index: number) => {
  const all = takers()
  const { body, document } = all[index % all.length] as (typeof all)[number]
  const names = Object.keys((body ?? document?.body)?.properties ?? {})
  return names[index % Math.max(1, names.length)] ?? 'name'
}

describe(`A body of 64 KiB takes at most ${CPU_MS_MAX} ms of the processor`, () => {
  for (const [name, bodyOf] of Object.entries(JSON_SHAPES)) {
    test(`JSON with ${name} of each hard text`, async () => {
      await sendTo(0, '{}')
      for (const [index, text] of HARD.entries())
        await cheap(JSON.stringify(text.slice(0, 6)), () => sendTo(index * 7, bodyOf(text, fieldOf(index * 7))))
    })
  }

  test('JSON with any text anywhere, on any route', async () => {
    const property = fc.asyncProperty(
      fc.nat({ max: 1_000 }),
      piece,
      fc.constantFrom(...Object.values(JSON_SHAPES)),
      (index, text, bodyOf) => cheap(JSON.stringify(text), () => sendTo(index, bodyOf(text, fieldOf(index)))),
    )
    await fc.assert(property, RUNS)
  })

  test('numbers, lists and objects in any number', async () => {
    const bodies = [
      `{"amount_total":0.1${'0'.repeat(64_000)}1}`,
      `{"amount_total":1${'0'.repeat(64_000)}}`,
      `{"a":[${'1,'.repeat(32_000)}1]}`,
      `{"line_items":[${'{},'.repeat(20_000)}{}]}`,
      `{"a":1${' '.repeat(65_000)}}`,
    ]
    for (const body of bodies) await cheap(body.slice(0, 20), () => sendTo(0, body))
  })

  test('a form with any text in values and keys', async () => {
    const forms = takers().flatMap(({ acceptsForm }, index) => (acceptsForm ? [index] : []))
    const names = [
      'grant_type',
      'client_id',
      'ccname',
      'email',
      'exp',
      'cardnumber',
      'contract_name',
      'postal',
      'country',
    ]
    const encoded = fc
      .boolean()
      .map((isEncoded) => (isEncoded ? encodeURIComponent : (text: string) => text.replace(/[%&=+]/g, 'x')))
    const shape = fc.constantFrom(
      (text: string, name: string) => `${name}=${text.repeat(Math.floor(65_000 / Buffer.byteLength(text)))}`,
      (text: string) => `${text.repeat(Math.floor(65_000 / Buffer.byteLength(text)))}=1`,
      (text: string, name: string) =>
        `${name}=${text}&`.repeat(Math.floor(64_000 / (Buffer.byteLength(text) + name.length + 2))),
    )
    const property = fc.asyncProperty(
      fc.constantFrom(...forms),
      fc.constantFrom(...names),
      piece,
      encoded,
      shape,
      (index, name, text, encode, bodyOf) =>
        cheap(JSON.stringify(text), () =>
          sendTo(index, bodyOf(encode(text), name), 'application/x-www-form-urlencoded'),
        ),
    )
    await fc.assert(property, RUNS)
  })

  test('a query and headers with any text', async () => {
    const property = fc.asyncProperty(fc.constantFrom('limit', 'search', 'lang', 'x'), piece, (name, text) => {
      const query = encodeURIComponent(filled(text, 4_000)).slice(0, 1_900).replace(/%.?$/, '')
      const headers = { 'user-agent': '4 '.repeat(6_000), authorization: `Bearer ${service.demo.api_key}` }
      return cheap(JSON.stringify(text), () => send(`${service.url}/api/v1/customers?${name}=${query}`, { headers }))
    })
    await fc.assert(property, { ...RUNS, numRuns: 100 })
  })
})

describe('More than 30 combining marks in a row are refused', () => {
  const long = `e${'\u0301'.repeat(31)}`
  const enough = `e${'\u0301'.repeat(30)}`
  const refused = ({ body }: Response) =>
    Object.entries(body.errors ?? {})[0] ?? [body.error?.param, [body.error?.message]]

  test('in values and keys of JSON, naming the field or the object of the key', async () => {
    const create = (body: object) => merchantOf(service).post('/checkout/create', body)
    const values = await create({ description: long })
    equal(values.status, 422)
    equal(String(refused(values)), 'description,must have at most 30 combining marks in a row')
    equal(refused(await create({ metadata: { [long]: 'x' } }))[0], 'metadata')
    equal(refused(await create({ [long]: 'x' }))[0], 'body')
    ok(!String(refused(await create({ description: enough }))).includes('marks'))
  })

  test('in a password, in a form and in a query', async () => {
    const call = { body: { email: 'ana@example.com', password: long } }
    const signedIn = await owner.call('POST /dashboard/auth/sign-in', call)
    equal(refused(signedIn)[0], 'password')
    const form = new URLSearchParams({ grant_type: 'password', username: long })
    const token = await send(`${service.url}/api/oauth/token`, { method: 'POST', body: form })
    equal(refused(token)[0], 'username')
    const headers = { authorization: `Bearer ${service.demo.api_key}` }
    const list = await send(`${service.url}/api/v1/customers?email=${encodeURIComponent(long)}`, { headers })
    equal(refused(list)[0], 'email')
  })
})
