import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { enrolled } from '../support/fake-three-ds-server.ts'
import { BROWSER } from '../support/three-ds.ts'
import { openThreeDsBusiness, type ThreeDsBusiness } from '../support/three-ds-business.ts'

// TDS-6: on the server, the request to the bank waits for the issuer's method.

const METHOD = 'https://acs.example/method'

let business: ThreeDsBusiness
before(async () => {
  business = await openThreeDsBusiness()
})
after(() => business[Symbol.asyncDispose]())

describe('authenticate with await_method, while the method runs', () => {
  beforeEach(() => {
    business.bank.reset()
    business.bank.onLookup = () => enrolled(METHOD)
  })
  const begun = async () => {
    const { token, id } = await business.begun()
    const sent = performance.now()
    const held = business.payer.authenticate(token, id, { await_method: true }).then((response) => {
      deepEqual([response.status, response.body.status], [200, 'authenticated'], JSON.stringify(response.body))
      return performance.now() - sent
    })
    return { token, id, held }
  }
  const completed = () => business.bank.requests.map(({ methodCompleted }) => methodCompleted)

  test('sends the request as soon as the notification has arrived', async () => {
    const { id, held } = await begun()
    const { server_transaction_id: threeDSServerTransID } = await business.rowOf(id)
    deepEqual(completed(), [])
    const data = Buffer.from(JSON.stringify({ threeDSServerTransID })).toString('base64url')
    const done = `${business.service.formUrl}/customer/ddd/method-done/${id}`
    equal((await fetch(done, { method: 'POST', body: new URLSearchParams({ threeDSMethodData: data }) })).status, 200)
    ok((await held) < 8_000)
    deepEqual(completed(), ['Y'])
  })

  test('also when another process has received it', async () => {
    const { id, held } = await begun()
    await business.mark(id, { method_done_at: business.clock.now() })
    ok((await held) < 8_000)
    deepEqual(completed(), ['Y'])
  })

  test('CAS-70: sends it when the time is over, and without the member at once', async () => {
    const { token, id } = await business.begun()
    business.clock.advance(9.9)
    const { body } = await business.payer.authenticate(token, id, { await_method: true })
    equal(body.status, 'authenticated')
    const other = await business.begun()
    equal((await business.payer.authenticate(other.token, other.id)).body.status, 'authenticated')
    deepEqual(completed(), ['N', 'N'])
  })

  test('sends nothing for a caller who has hung up, and a later call does', async () => {
    const { token, id } = await business.begun()
    const left = new AbortController()
    const url = `${business.service.url}/api/${business.service.demo.business_id}/ddd/authenticate`
    const body = JSON.stringify({ session_token: token, ddd_session_id: id, browser: BROWSER, await_method: true })
    const headers = { 'content-type': 'application/json' }
    const held = fetch(url, { method: 'POST', headers, body, signal: left.signal })
    await sleep(200)
    left.abort()
    await rejects(held)
    await sleep(400)
    await business.mark(id, { method_done_at: business.clock.now() })
    await sleep(400)
    deepEqual(completed(), [])
    equal((await business.payer.authenticate(token, id)).body.status, 'authenticated')
    deepEqual(completed(), ['Y'])
  })
})
