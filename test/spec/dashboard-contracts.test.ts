import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { waitingSubscription } from '../support/sign-up.ts'

let service: TestService
let owner: DashboardClient
let api: MerchantApiClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
  api = merchantApiOf(service)
})
after(() => service.close())

const TEXT = '{{business_name}} and {{ customer_name }} agree on {{subscription}} for {{amount}}, {{frequency}}.'
const lastAudit = () =>
  service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirst()

async function newCustomer(name: string | null = 'Ana Roy') {
  return (await api.made('/customers', { ...(name && { name }), email: `${newId()}@example.com` })).id as string
}

async function draft(customer: string, more: Record<string, unknown> = {}) {
  const { status, body } = await owner.call('POST /contracts', {
    body: { customer, title: 'Terms', text: 'I agree.', ...more },
  })
  equal(status, 201, JSON.stringify(body))
  return body
}

const act = (id: string, verb: string, body?: unknown) =>
  owner.call(`POST /contracts/${id}/${verb}`, body === undefined ? {} : { body })

describe('A draft of a contract', () => {
  test('is written from a text with placeholders, and linked to a subscription (DSH-18, SUB-45, SUB-60)', async () => {
    const made = await waitingSubscription(api)
    await api.patch(`/customers/${made.customer}`, { name: 'Ana Roy' })
    const given = { customer: made.customer, subscription: made.id, text: TEXT }
    const preview = await owner.call('POST /contracts/preview', { body: given })
    equal(preview.status, 200, JSON.stringify(preview.body))
    match(preview.body.text, /^Demo Shop and Ana Roy agree on .+ for \$\d+\.\d\d, every month\.$/i)
    deepEqual(preview.body.unfilled, [])
    const contract = await draft(made.customer, given)
    deepEqual(
      [contract.status, contract.text, contract.subscription, contract.linked.id, contract.is_awaited, contract.url],
      ['draft', preview.body.text, made.id, made.id, true, null],
    )
    const entry = await lastAudit()
    deepEqual([entry?.action, entry?.object_id], ['contract.create', contract.id])
    equal((await api.get(`/subscriptions/${made.id}`)).body.contract.id, contract.id)
  })

  test('is refused with a placeholder that is unknown or empty; nothing is written', async () => {
    const customer = await newCustomer(null)
    for (const [change, param] of [
      [{ text: 'Hello {{nobody}}' }, 'text'],
      [{ text: 'Hello {{customer_name}}' }, 'text'],
      [{ text: 'For {{amount}}' }, 'text'],
      [{ text: '  ' }, 'text'],
      [{ text: 'a'.repeat(100_001) }, 'text'],
      [{ text: 'Card 4242424242424242' }, 'text'],
      [{ title: '' }, 'title'],
      [{ locale: 'de' }, 'locale'],
    ] as const) {
      const body = { customer, title: 'Terms', text: 'I agree.', ...change }
      const refused = await owner.call('POST /contracts', { body })
      deepEqual([refused.status, refused.body.error.param], [422, param], JSON.stringify(change).slice(0, 60))
    }
    const { body: preview } = await owner.call('POST /contracts/preview', {
      body: { customer, text: 'To {{customer_name}}' },
    })
    deepEqual([preview.text, preview.unfilled], ['To {{customer_name}}', ['customer_name']])
    const unknown = await owner.call('POST /contracts', { body: { customer: newId(), title: 'T', text: 'I agree.' } })
    deepEqual([unknown.status, unknown.body.error.param], [404, 'customer'])
    const other = await waitingSubscription(api)
    const foreign = await owner.call('POST /contracts', {
      body: { customer, subscription: other.id, title: 'T', text: 'I agree.' },
    })
    deepEqual([foreign.status, foreign.body.error.param], [404, 'subscription'])
    equal((await owner.call('GET /contracts', { query: { customer } })).body.total, 0)
  })

  test('is written by those who may', async () => {
    const body = { customer: await newCustomer(), title: 'Terms', text: 'I agree.' }
    for (const [role, status] of [
      ['analyst', 403],
      ['developer', 403],
      ['support', 201],
    ] as const) {
      const person = await signIn(service, { role })
      equal((await person.call('POST /contracts', { body })).status, status, role)
      equal((await person.call('GET /contracts')).status, 200, role)
    }
  })

  test('of 100,000 characters is taken', async () => {
    const text = 'é'.repeat(100_000)
    equal((await draft(await newCustomer(), { text })).text, text)
  })
})

describe('A contract', () => {
  test('is sent with a letter, sent again, signed by the customer, and does not change any more (DSH-18, LTR-24)', async () => {
    const made = await waitingSubscription(api)
    await api.patch(`/customers/${made.customer}`, { email: `${newId()}@example.com` })
    const { id } = await draft(made.customer)
    const linked = await act(id, 'link', { subscription: made.id })
    deepEqual([linked.status, linked.body.linked.id], [200, made.id])
    const sent = await act(id, 'send')
    deepEqual([sent.status, sent.body.status], [200, 'sent'])
    ok(sent.body.letter_to)
    ok(sent.body.sent_at > 0)
    equal((await act(id, 'send')).status, 409)
    equal((await act(id, 'resend')).status, 200)
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letters = (await lettersOf(service)).filter(({ object_id }) => object_id === id)
    deepEqual(
      letters.map(({ kind, recipient }) => [kind, recipient]),
      [sent.body.letter_to, sent.body.letter_to].map((to) => ['contract_link', to]),
    )
    ok(letters[0]?.html.includes(sent.body.url))
    const signed = await fetch(sent.body.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.formUrl },
      body: new URLSearchParams({ contract_name: 'Ana Roy', contract_agreed: 'on' }),
      redirect: 'manual',
    })
    equal(signed.status, 303)
    const { body } = await owner.call(`GET /contracts/${id}`)
    deepEqual([body.status, body.signature.name, body.url, body.is_awaited], ['signed', 'Ana Roy', null, false])
    for (const [verb, given] of [
      ['void'],
      ['send'],
      ['resend'],
      ['link', { subscription: (await waitingSubscription(api)).id }],
    ] as const)
      equal((await act(id, verb, given)).status, 409, verb)
    equal((await owner.call(`GET /contracts/${id}`)).body.status, 'signed')
  })

  test('is voided before it is signed, and waits no more for its customer', async () => {
    const { id } = await draft(await newCustomer())
    equal((await act(id, 'resend')).status, 409)
    const { status, body } = await act(id, 'void')
    deepEqual([status, body.status, (await lastAudit())?.action], [200, 'void', 'contract.void'])
    equal((await act(id, 'void')).status, 409)
  })

  test('that is void leaves its place at a subscription to another one (SUB-45)', async () => {
    const made = await waitingSubscription(api)
    const first = await draft(made.customer, { subscription: made.id })
    const other = await draft(made.customer)
    const link = (id: string) => act(id, 'link', { subscription: made.id })
    equal((await link(other.id)).status, 409, 'while the first one can be signed')
    equal((await act(first.id, 'void')).body.is_awaited, true)
    const linked = await link(other.id)
    deepEqual([linked.status, linked.body.subscription, linked.body.is_awaited], [200, made.id, true])
    equal((await api.get(`/subscriptions/${made.id}`)).body.contract.id, other.id)
    const replaced = (await owner.call(`GET /contracts/${first.id}`)).body
    deepEqual([replaced.status, replaced.subscription, replaced.is_awaited], ['void', null, false])
    equal((await link(first.id)).status, 409)
  })

  test('that is voided before its letter is composed has no letter (LTR-24)', async () => {
    const { id } = await draft(await newCustomer())
    await act(id, 'send')
    await act(id, 'void')
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    equal((await lettersOf(service)).filter(({ object_id }) => object_id === id).length, 0)
  })

  test('of a customer without an e-mail address is sent without a letter', async () => {
    const { id: customer } = await api.made('/customers', { name: 'By hand' })
    const { id } = await draft(customer)
    const { body } = await act(id, 'send')
    deepEqual([body.status, body.letter_to], ['sent', null])
    match(body.url, /\/customer\/checkout\//)
    equal((await act(id, 'resend')).status, 409)
  })

  test('is listed by status, customer and a part of its title or customer (DSH-8)', async () => {
    const customer = await newCustomer(`Zed ${newId()}`)
    const [first, second] = [await draft(customer, { title: 'Alpha' }), await draft(customer, { title: 'Beta' })]
    await act(first.id, 'send')
    for (const [query, expected] of [
      [{}, [second.id, first.id]],
      [{ status: 'sent' }, [first.id]],
      [{ status: 'signed' }, []],
      [{ search: 'BET' }, [second.id]],
      [{ search: 'zed' }, [second.id, first.id]],
      [{ search: first.id }, [first.id]],
      [{ limit: 1, starting_after: second.id }, [first.id]],
    ] as const) {
      const { status, body } = await owner.call('GET /contracts', { query: { customer, ...query } })
      deepEqual([status, body.data.map(({ id }: { id: string }) => id)], [200, expected], JSON.stringify(query))
    }
    equal((await owner.call('GET /contracts', { query: { status: 'open' } })).body.error.param, 'status')
    const made = await waitingSubscription(api)
    const linked = await draft(made.customer, { subscription: made.id })
    const { body } = await owner.call('GET /contracts', { query: { customer: made.customer } })
    const shown = [body.data[0].subscription, body.data[0].subscription_description]
    deepEqual(shown, [made.id, linked.linked.description])
  })

  test('of another business is as unknown as one that does not exist (DSH-1)', async () => {
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id })
    const { body: customer } = await stranger.call('POST /customers', { body: { name: 'Far away' } })
    const { body: foreign } = await stranger.call('POST /contracts', {
      body: { customer: customer.id, title: 'T', text: 'I agree.' },
    })
    equal(foreign.status, 'draft')
    const { id: subscription } = await waitingSubscription(api)
    for (const id of [foreign.id, newId(), 'nothing']) {
      equal((await owner.call(`GET /contracts/${id}`)).status, 404)
      equal((await owner.call(`GET /contracts/${id}/pdf`)).status, 404)
      for (const verb of ['send', 'resend', 'void']) equal((await act(id, verb)).status, 404, verb)
      equal((await act(id, 'link', { subscription })).status, 404)
    }
  })
})
