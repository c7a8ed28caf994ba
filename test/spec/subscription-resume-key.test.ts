import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assertConflict, assertInvalid, statusesOf } from '../support/lifecycle-calls.ts'
import { type Response, send } from '../support/merchant.ts'
import { assertMerchantRefused } from '../support/merchant-refusal.ts'
import { assertDeclined, openResumes, type Resumes } from '../support/paused-subscriptions.ts'
import { makeSubscribable, type Subscribable } from '../support/subscriptions.ts'

// SUB-32: a resume with an idempotency key, in the header or in the body.

type Which = { id: string }

let resumes: Resumes
/** Card of the test that blocks it. */
let ownCard: Subscribable
before(async () => {
  resumes = await openResumes()
  ownCard = await makeSubscribable(resumes.service)
})
beforeEach(() => resumes.service.simulator.resetScript())
after(() => resumes.close())

let count = 0
const newKey = () => `key-${count++}`
const bodyOf = (quote_hash: string, more: object = {}) => ({ quote_hash, ...more })

/** Resumes with the key in the header. */
function resumeWith({ id }: Which, header: string, body: object): Promise<Response> {
  const { url, demo } = resumes.service
  return send(`${url}/api/v1/subscriptions/${id}/resume`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo.api_key}`,
      'content-type': 'application/json',
      'idempotency-key': header,
    },
    body: JSON.stringify({ billing_cycle_anchor: 'now', proration_behavior: 'none', ...body }),
  })
}

const withMember = (one: Which, idempotency_key: string, body: object) =>
  resumes.calls.resume(one, 'now', { ...body, idempotency_key })

const requests = () => resumes.service.app.services.db.selectFrom('resume_request').selectAll().execute()

describe('The same key and body', () => {
  test('get the same response to the byte, in the header, in the body or in both; one sale', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    const sold = await resumes.sales()
    const first = await resumeWith(one, key, body)
    equal(first.status, 200)
    for (const again of [
      await resumeWith(one, key, body),
      await withMember(one, key, body),
      await resumeWith(one, key, { ...body, idempotency_key: key }),
    ]) {
      deepEqual([again.status, JSON.stringify(again.body)], [200, JSON.stringify(first.body)])
    }
    equal(await resumes.sales(), sold + 1)
  })

  test('of a resume that does not charge', async () => {
    const one = await resumes.paused()
    const key = newKey()
    const ask = () => resumes.calls.resume(one, 'unchanged', { idempotency_key: key })
    const first = await ask()
    equal(first.status, 200)
    await resumes.calls.cancel(one)
    const again = await ask()
    deepEqual([again.status, again.body], [200, first.body])
  })

  test('get the same 402, without another sale; another key tries again', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    await resumes.service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    const first = await resumeWith(one, key, body)
    assertDeclined(first, 'ND')
    const sold = await resumes.sales()
    const again = await resumeWith(one, key, body)
    assertDeclined(again, 'ND')
    equal(again.body.error.message, first.body.error.message)
    equal(await resumes.sales(), sold)
    equal((await resumes.paymentsOf(one)).length, 2)
    equal((await resumeWith(one, newKey(), body)).status, 200)
  })

  test('get the same 402 after an unknown outcome', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    await resumes.service.simulator.script({ latency: { minMs: 6_000, maxMs: 6_000 } })
    assertDeclined(await resumeWith(one, key, body))
    await resumes.service.simulator.resetScript()
    assertDeclined(await resumeWith(one, key, body))
    await resumes.resolved()
    assertDeclined(await resumeWith(one, key, body))
    equal((await resumeWith(one, newKey(), body)).status, 200)
  })

  test('get the same 402 after nothing was sent; another body is refused, another key tries again', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    const first = await resumes.service.whileGatewayAway(() => resumeWith(one, key, body))
    assertDeclined(first)
    const again = await resumeWith(one, key, body)
    assertDeclined(again)
    equal(again.body.error.message, first.body.error.message)
    const other = await resumeWith(one, key, { billing_cycle_anchor: 'unchanged' })
    assertMerchantRefused(other, 409, 'idempotency_key_reused', 'idempotency_key')
    equal((await resumeWith(one, newKey(), body)).status, 200)
  })

  test('get the same 402 of a card that must not be charged', async () => {
    const one = await resumes.paused({}, ownCard)
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    await resumes.service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'pick_up_card' }] })
    assertDeclined(await resumeWith(one, newKey(), body), 'NC')
    const sold = await resumes.sales()
    assertDeclined(await resumeWith(one, key, body), 'NC')
    const other = await resumeWith(one, key, { billing_cycle_anchor: 'unchanged' })
    assertMerchantRefused(other, 409, 'idempotency_key_reused', 'idempotency_key')
    assertDeclined(await resumeWith(one, key, body), 'NC')
    equal(await resumes.sales(), sold)
  })

  test('are forgotten after 24 hours', async () => {
    const one = await resumes.paused()
    const key = newKey()
    const ask = () => resumes.calls.resume(one, 'unchanged', { idempotency_key: key })
    equal((await ask()).status, 200)
    resumes.clock.advance(86_399)
    equal((await ask()).status, 200)
    resumes.clock.advance(1)
    assertConflict(await ask())
  })

  test('while the first is running: 409', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    await resumes.service.simulator.script({ latency: { minMs: 400, maxMs: 400 } })
    const running = resumeWith(one, key, body)
    await resumes.untilCharging(one)
    assertConflict(await resumeWith(one, key, body))
    equal((await running).status, 200)
    equal((await resumeWith(one, key, body)).status, 200)
  })

  for (let round = 0; round < 3; round++) {
    test(`ten at once: one sale, and every response is its own or 409 (${round})`, async () => {
      const one = await resumes.paused()
      const body = bodyOf(await resumes.quoteOf(one))
      const key = newKey()
      const sold = await resumes.sales()
      const responses = await Promise.all(Array.from({ length: 10 }, () => resumeWith(one, key, body)))
      equal(await resumes.sales(), sold + 1)
      const done = responses.filter(({ status }) => status === 200)
      equal(done.length > 0 && statusesOf(responses).every((status) => status === 200 || status === 409), true)
      for (const each of done) deepEqual(each.body, done[0]?.body)
    })
  }

  test('of a process that died without a response: 409, and after its time they are a new attempt', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    await resumes.service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    assertDeclined(await resumeWith(one, key, body), 'ND')
    const { db } = resumes.service.app.services
    const lost = { status: null, response: null }
    await db.updateTable('resume_request').set(lost).where('subscription_id', '=', one.id).execute()
    resumes.clock.advance(3.9)
    assertConflict(await resumeWith(one, key, body))
    resumes.clock.advance(0.1)
    equal((await resumeWith(one, key, body)).status, 200)
  })
})

describe('The same key', () => {
  test('with another body: 409 idempotency_key_reused', async () => {
    const one = await resumes.paused()
    const body = bodyOf(await resumes.quoteOf(one))
    const key = newKey()
    equal((await resumeWith(one, key, body)).status, 200)
    for (const other of [{ ...body, quote_hash: 'f'.repeat(64) }, { ...body, billing_cycle_anchor: 'unchanged' }, {}]) {
      assertMerchantRefused(await resumeWith(one, key, other), 409, 'idempotency_key_reused', 'idempotency_key')
    }
  })

  test('of another subscription is another key', async () => {
    const [one, other] = [await resumes.paused(), await resumes.paused()]
    const key = newKey()
    equal((await resumeWith(one, key, bodyOf(await resumes.quoteOf(one)))).status, 200)
    equal((await resumeWith(other, key, bodyOf(await resumes.quoteOf(other)))).status, 200)
  })

  test('is free after a refusal that changed nothing', async () => {
    const one = await resumes.paused()
    const key = newKey()
    assertInvalid(await resumeWith(one, key, {}), 'quote_hash')
    assertMerchantRefused(await resumeWith(one, key, bodyOf('0'.repeat(64))), 409, 'quote_stale', 'quote_hash')
    equal((await resumeWith(one, key, bodyOf(await resumes.quoteOf(one)))).status, 200)
  })

  test('is stored as a hash', async () => {
    const one = await resumes.paused()
    const key = 'ana@example.com'
    await resumeWith(one, key, bodyOf(await resumes.quoteOf(one)))
    const rows = (await requests()).filter(({ subscription_id }) => subscription_id === one.id)
    equal(rows.length, 1)
    match(rows[0]?.key ?? '', /^[\w-]{43}$/)
    equal(JSON.stringify(rows).includes(key), false)
  })
})

describe('A key is refused', () => {
  test('that differs in header and body: 422 idempotency_key', async () => {
    const one = await resumes.paused()
    assertInvalid(await resumeWith(one, 'a', { idempotency_key: 'b' }), 'idempotency_key')
  })

  for (const key of ['two words', 'é', 'x'.repeat(256)]) {
    test(`in the header: ${key.slice(0, 20)}: 422 Idempotency-Key`, async () => {
      const one = await resumes.paused()
      assertInvalid(await resumeWith(one, key, {}), 'Idempotency-Key')
    })
  }
})
