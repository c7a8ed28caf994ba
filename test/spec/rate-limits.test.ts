import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { merchantOf, payBody, payerOf, type Response } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// ACC-25 to ACC-30: rate limits of the OAuth family. All calls come from 127.0.0.1.

let service: TestService
let other: SecondMerchant
let tokens: string[]
before(async () => {
  service = await openService({ rateLimits: true })
  callInProcess(service)
  other = await secondMerchant(service, { redirectUrl: 'https://shop.example' })
  tokens = await Promise.all(Array.from({ length: 12 }, () => other.sessionToken()))
})
after(() => service.close())

const wrong = { ...payBody(), amount: 1 }

async function repeat(times: number, call: (index: number) => Promise<Response>): Promise<Response[]> {
  const responses: Response[] = []
  for (let index = 0; index < times; index++) responses.push(await call(index))
  return responses
}

const statuses = (responses: Response[]) => [...new Set(responses.map(({ status }) => status))]

function assertLimited(response: Response): void {
  assertRefused(response, 429, 'rate_limited')
  const seconds = Number(response.headers.get('retry-after'))
  equal(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, true, `${seconds}`)
  match(response.body.message, new RegExp(`${seconds} seconds`))
}

test('a business: 60 a minute over all its paths, and no other business suffers', async () => {
  const merchant = merchantOf(service)
  const token = await merchant.sessionToken()
  deepEqual(statuses(await repeat(20, () => merchant.createSession())), [200])
  deepEqual(statuses(await repeat(38, () => merchant.details(token))), [200])
  equal((await merchant.cancel(token)).status, 200)
  assertLimited(await merchant.createSession())
  assertLimited(await merchant.details(token))
  assertLimited(await merchant.cancel(token))
  equal((await other.createSession()).status, 200)
})

test('validate and data: 60 a minute together, per token and address', async () => {
  const [token = '', untouched = ''] = tokens
  const payer = payerOf(service)
  deepEqual(statuses(await repeat(30, () => payer.validate(token))), [200])
  deepEqual(statuses(await repeat(30, () => payer.data(token))), [200])
  assertLimited(await payer.validate(token))
  assertLimited(await payer.data(token))
  equal((await payer.validate(untouched)).status, 200)
})

describe('pay', () => {
  test('10 a minute per token; what is refused for its body counts too', async () => {
    const token = tokens[2] ?? ''
    const responses = await repeat(10, () => payerOf(service).pay(token, wrong))
    deepEqual(statuses(responses), [422])
    assertLimited(await payerOf(service).pay(token))
    const { body } = await other.details(token)
    deepEqual([body.status, body.checkout_session.attempt_count], ['PENDING', 0])
  })

  test('30 a minute per address, for any tokens', async () => {
    const more = await repeat(20, (index) => payerOf(service).pay(tokens[3 + (index % 3)] ?? '', wrong))
    deepEqual(statuses(more), [422])
    assertLimited(await payerOf(service).pay(tokens[8] ?? ''))
    equal((await other.details(tokens[8] ?? '')).body.status, 'PENDING')
  })
})

test('responses have what is left', async () => {
  const { headers } = await payerOf(service).validate(tokens[9] ?? '')
  deepEqual([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], ['60', '59'])
  match(headers.get('ratelimit-reset') ?? '', /^\d+$/)
})

test('a page may read Retry-After', async () => {
  const response = await fetch(`${service.url}/api/checkout/${tokens[0]}`, {
    headers: { origin: service.formUrl },
    signal: AbortSignal.timeout(10_000),
  })
  deepEqual([response.status, response.headers.get('access-control-allow-origin')], [429, service.formUrl])
  match(response.headers.get('access-control-expose-headers') ?? '', /retry-after/i)
})
