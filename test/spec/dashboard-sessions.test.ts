import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

const LINK = { amount_total: 2550, customer_email: 'bo@example.com', description: 'Two lamps' }
const makeLink = async (body: Record<string, unknown> = LINK) =>
  (await owner.call('POST /checkout_sessions', { body })).body
const tokenOf = (url: string) => url.split('/').at(-1) ?? ''
const lastAudit = () =>
  service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirst()

describe('A payment link', () => {
  test('is a hosted session without a client, which a payer pays and stays on the page (CHK-56)', async () => {
    const { status, body } = await owner.call('POST /checkout_sessions', { body: LINK })
    deepEqual(
      [
        status,
        body.session_status,
        body.amount_total,
        body.view.amount_total,
        body.success_url,
        body.view.is_payment_link,
      ],
      [201, 'PENDING', 25.5, 2550, null, true],
    )
    match(body.checkout_url, /\/customer\/checkout\/[\w-]{64}$/)
    const entry = await lastAudit()
    deepEqual([entry?.action, entry?.object_id, entry?.actor_name], ['checkout_session.create', body.id, owner.email])
    const paid = await payerOf(service).pay(tokenOf(body.checkout_url), payBody(CARDS.visa))
    deepEqual([paid.status, paid.body.ok, paid.body.success_url], [200, true, null])
    const after = (await owner.call(`GET /checkout_sessions/${body.id}`)).body
    deepEqual(
      [after.session_status, after.payment_status, after.view.payment, after.view.customer.email],
      ['COMPLETED', 'PAID', after.transaction.id, LINK.customer_email],
    )
    deepEqual(
      after.view.attempts.map(({ outcome, last4 }: Record<string, string>) => [outcome, last4]),
      [['approved', '4242']],
    )
  })

  test('needs an amount and a customer of the business; nothing is written without', async () => {
    const count = async () => (await owner.call('GET /checkout_sessions')).body.total
    const earlier = await count()
    for (const [body, param] of [
      [{ customer_email: 'bo@example.com' }, 'amount_total'],
      [{ ...LINK, amount_total: 0 }, 'amount_total'],
      [{ ...LINK, amount_total: 12.5 }, 'amount_total'],
      [{ amount_total: 100 }, 'customer_email'],
      [{ ...LINK, customer_email: 'nobody' }, 'customer_email'],
      [{ ...LINK, surcharge: true }, 'surcharge'],
    ] as const) {
      const { status, body: refused } = await owner.call('POST /checkout_sessions', { body })
      deepEqual([status, refused.error.param], [422, param], JSON.stringify(body))
    }
    const unknown = await owner.call('POST /checkout_sessions', { body: { amount_total: 100, customer_id: newId() } })
    deepEqual([unknown.status, unknown.body.error.param], [404, 'customer_id'])
    equal(await count(), earlier)
  })

  test('is made by those who may write sessions', async () => {
    for (const [role, status] of [
      ['analyst', 403],
      ['support', 201],
      ['developer', 201],
    ] as const) {
      const person = await signIn(service, { role })
      equal((await person.call('POST /checkout_sessions', { body: LINK })).status, status, role)
      equal((await person.call('GET /checkout_sessions')).status, 200, role)
    }
  })

  test('is cancelled while it can be paid, and not again', async () => {
    const { id, checkout_url: url } = await makeLink()
    const { status, body } = await owner.call(`POST /checkout_sessions/${id}/cancel`, {
      body: { reason: 'Paid by cheque' },
    })
    deepEqual([status, body.session_status], [200, 'CANCELLED'])
    ok(body.view.canceled_at > 0)
    deepEqual([(await lastAudit())?.action, (await lastAudit())?.object_id], ['checkout_session.cancel', id])
    equal((await payerOf(service).pay(tokenOf(url))).body.ok, false)
    const again = await owner.call(`POST /checkout_sessions/${id}/cancel`, { body: {} })
    deepEqual([again.status, again.body.error.code, again.body.error.status], [409, 'conflict', 'CANCELLED'])
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await analyst.call(`POST /checkout_sessions/${id}/cancel`, { body: {} })).status, 403)
  })
})

describe('The list of sessions', () => {
  test('is filtered by status, mode, day, customer, amount and reference, with the total of the filter (DSH-8)', async () => {
    const name = `Zoe ${newId()}`
    const own = { customer_name: name, customer_email: 'zoe@example.com' }
    const [cancelled] = [await makeLink({ ...LINK, ...own, amount_total: 777, client_reference_id: 'A-7' })]
    await owner.call(`POST /checkout_sessions/${cancelled.id}/cancel`, { body: {} })
    const open = await makeLink({ ...LINK, ...own, amount_total: 778 })
    const merchant = merchantOf(service)
    const { body: embedded } = await merchant.createSession({
      ...own,
      customer_email: 'zoe2@example.com',
      ui_mode: 'embedded',
    })
    const ids = [embedded.checkout_session.id, open.id, cancelled.id]
    const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Toronto' }).format(new Date())
    for (const [query, expected] of [
      [{}, ids],
      [{ status: 'CANCELLED' }, [cancelled.id]],
      [{ status: 'PENDING' }, ids.slice(0, 2)],
      [{ status: 'COMPLETED' }, []],
      [{ ui_mode: 'embedded' }, [embedded.checkout_session.id]],
      [{ mode: 'subscription' }, []],
      [{ amount_from: 778, amount_to: 2549 }, [open.id]],
      [{ amount_to: 778 }, ids.slice(1)],
      [{ reference: 'A-7' }, [cancelled.id]],
      [{ from: '2020-01-01', to: '2020-12-31' }, []],
      [{ from: '2020-01-01', to: today }, ids],
    ] as const) {
      const { status, body } = await owner.call('GET /checkout_sessions', { query: { customer: name, ...query } })
      const found = body.data.map(({ id }: { id: string }) => id)
      deepEqual([status, found, body.total], [200, expected, expected.length], JSON.stringify(query))
    }
    const { body } = await owner.call('GET /checkout_sessions', { query: { customer: name, limit: 1 } })
    deepEqual(
      [body.data[0].object, body.data[0].customer.name, body.has_more, body.total],
      ['checkout_session', name, true, 3],
    )
    const next = await owner.call('GET /checkout_sessions', {
      query: { customer: name, limit: 1, starting_after: body.data[0].id },
    })
    deepEqual(
      next.body.data.map(({ id }: { id: string }) => id),
      [open.id],
    )
    const newer = await owner.call('GET /checkout_sessions', { query: { customer: name, ending_before: cancelled.id } })
    equal(newer.body.data.length, 2)
  })

  test('refuses a filter that means nothing', async () => {
    for (const [query, param] of [
      [{ status: 'OPEN' }, 'status'],
      [{ from: '2026-02-30' }, 'from'],
      [{ from: '2026-03-02', to: '2026-03-01' }, 'to'],
      [{ amount_from: 1.5 }, 'amount_from'],
      [{ limit: 101 }, 'limit'],
      [{ starting_after: newId() }, 'starting_after'],
    ] as const) {
      const { status, body } = await owner.call('GET /checkout_sessions', { query })
      deepEqual([status, body.error.param], [422, param])
    }
  })
})

describe('A session', () => {
  test('shows its declined attempts with their codes', async () => {
    const { id, checkout_url: url } = await makeLink()
    await payerOf(service).pay(tokenOf(url), payBody(CARDS.declined))
    const { body } = await owner.call(`GET /checkout_sessions/${id}`)
    deepEqual([body.attempt_count, body.max_attempts, body.view.attempts.length], [1, 3, 1])
    const [{ outcome, code, message }] = body.view.attempts
    deepEqual([outcome, code, message], ['declined', body.last_decline.code, body.last_decline.message])
  })

  test('of another business is as unknown as one that does not exist (DSH-1)', async () => {
    const { body: foreign } = await (
      await secondMerchant(service, { redirectUrl: 'https://shop.example' })
    ).createSession()
    for (const id of [foreign.checkout_session.id, newId(), 'nothing']) {
      for (const name of [`GET /checkout_sessions/${id}`, `POST /checkout_sessions/${id}/cancel`]) {
        const { status } = await owner.call(name, name.startsWith('POST') ? { body: {} } : {})
        equal(status, 404, name)
      }
    }
  })
})
