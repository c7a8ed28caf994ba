import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Merchant, merchantOf } from '../support/merchant.ts'
import { assertRefused } from '../support/refusal.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// Pages of the list of sessions, while sessions are being created.

let service: TestService
let merchant: Merchant
before(async () => {
  service = await openService()
  callInProcess(service)
  merchant = merchantOf(service)
})
after(() => service.close())

const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
const make = async (input: object): Promise<string> =>
  (await merchant.createSession({ ...input })).body.checkout_session.id

async function list(query: Record<string, string | number>) {
  const { body } = await merchant.get(`/checkout-sessions?${new URLSearchParams(query as Record<string, string>)}`)
  return body.checkout_sessions
}

describe('Pages of sessions', () => {
  test('the links repeat and skip nothing while sessions are being created, and count the same', async () => {
    const customer_email = 'moving@example.com'
    const held = []
    for (let index = 0; index < 12; index++) held.unshift(await make({ customer_email }))
    const follow = async (url: string) =>
      (await merchant.get(url.slice(url.indexOf('/checkout-sessions')))).body.checkout_sessions
    const seen: string[] = []
    let page = await list({ customer: 'moving@', perPage: 5 })
    const first = ids(page)
    for (;;) {
      seen.push(...ids(page))
      deepEqual([page.total, page.last_page], [12, 3])
      await Promise.all(Array.from({ length: 3 }, () => make({ customer_email })))
      if (page.next_page_url === null) break
      page = await follow(page.next_page_url)
    }
    deepEqual(seen, held)
    const back = await follow((await follow(page.prev_page_url)).prev_page_url)
    deepEqual([ids(back), back.total, back.prev_page_url], [first, 12, null])
    equal((await list({ customer: 'moving@' })).total, 21)
  })

  test('a page requested by number continues from where the first page began', async () => {
    const customer_email = 'number@example.com'
    for (let index = 0; index < 5; index++) await make({ customer_email })
    const newest = ids(await list({ customer: 'number@' }))
    const second = await list({ customer: 'number@', perPage: 2, page: 2 })
    await make({ customer_email })
    const query = Object.fromEntries(new URL(second.next_page_url).searchParams)
    deepEqual(ids(await list(query)), newest.slice(4))
  })

  test('startingAt is a session of this business', async () => {
    const other = await secondMerchant(service)
    const urls = { success_url: 'https://other.example', cancel_url: 'https://other.example' }
    const foreign = (await other.createSession(urls)).body.checkout_session.id
    for (const startingAt of [foreign, '019aabcd-0000-7000-8000-000000000000', 'x'])
      assertRefused(await merchant.get(`/checkout-sessions?startingAt=${startingAt}`), 422, 'validation_failed', [
        'startingAt',
      ])
    equal((await merchant.get('/checkout-sessions?startingAt=')).status, 200, 'blank: not given')
  })
})
