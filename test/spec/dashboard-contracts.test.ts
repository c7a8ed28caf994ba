import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Business } from '../../server/businesses/business.ts'
import { replaceLogo } from '../../server/businesses/logo-queries.ts'
import { contractPdf } from '../../server/dashboard/contracts/contract-pdf.ts'
import type { Db } from '../../server/db/connection.ts'
import { transaction } from '../../server/db/transaction.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { businessOf } from '../support/business-of.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { readPdf } from '../support/read-pdf.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { openService, type TestService } from '../support/service.ts'
import { waitingSubscription } from '../support/sign-up.ts'

let service: TestService
let owner: DashboardClient
let api: MerchantApiClient
before(async () => {
  service = await openService()
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
      [{ limit: 1, starting_after: second.id }, [first.id]],
    ] as const) {
      const { status, body } = await owner.call('GET /contracts', { query: { customer, ...query } })
      deepEqual([status, body.data.map(({ id }: { id: string }) => id)], [200, expected], JSON.stringify(query))
    }
    equal((await owner.call('GET /contracts', { query: { status: 'open' } })).body.error.param, 'status')
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

/** One transparent point. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('The PDF of a contract', () => {
  const subscriptionLink = () => {
    throw new Error('a draft has no link')
  }
  const pdfOf = (business: Business, id: string) =>
    contractPdf({ db: service.app.services.db, subscriptionLink }, business, id)
  const setAddress = (db: Db, id: string, address: string | null) =>
    db.updateTable('business').set({ postal_address: address }).where('id', '=', id).execute()

  const get = ({ cookie }: DashboardClient, id: string) =>
    fetch(`${service.formUrl}/dashboard/api/b/${service.demo.business_id}/contracts/${id}/pdf`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    })
  const pagesOf = async (response: globalThis.Response) =>
    (await readPdf(Buffer.from(await response.arrayBuffer()))).pages.join(' ')

  test('is a file of its own that nobody keeps, with text and signature (DSH-38)', async () => {
    const made = await waitingSubscription(api)
    await api.patch(`/customers/${made.customer}`, { name: 'Анна Roy' })
    const { id } = await draft(made.customer, { title: 'Terms of {business}', text: 'Ich stimme zu.\n\nΣυμφωνώ.' })
    match(await pagesOf(await get(owner, id)), /Draft, not signed .*Nobody has signed this contract\./)
    await act(id, 'link', { subscription: made.id })
    const { body: sent } = await act(id, 'send')
    const signed = await fetch(sent.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.formUrl },
      body: new URLSearchParams({ contract_name: 'Анна Roy', contract_agreed: 'on' }),
      redirect: 'manual',
    })
    equal(signed.status, 303)
    const response = await get(await signIn(service, { role: 'analyst' }), id)
    const header = (name: string) => response.headers.get(name)
    deepEqual(
      [response.status, header('content-type'), header('content-disposition')],
      [200, 'application/pdf', `attachment; filename="contract-${id}.pdf"`],
    )
    deepEqual([header('x-content-type-options'), header('cache-control')], ['nosniff', 'no-store'])
    const text = await pagesOf(response)
    for (const part of ['Terms of {business}', id, 'Ich stimme zu.', 'Συμφωνώ.', 'Signed by Анна Roy', '127.0.0.1'])
      ok(text.includes(part), `${part} in ${text}`)
    match(text, /Signed on \w+ \d+, \d{4} at [\d:]+ [AP]M \S+ \(America\/New_York\)/)
  })

  test('is refused for characters that it cannot show, which are named', async () => {
    const { id } = await draft(await newCustomer(), { text: 'I agree. 同意' })
    const { status, body } = await owner.call(`GET /contracts/${id}/pdf`)
    deepEqual([status, body.error.code], [409, 'conflict'])
    match(body.error.message, /cannot show these characters: 同 意\./)
  })

  test('names ten of them at most, whichever part has them', async () => {
    const business = await businessOf(service)
    const { db } = service.app.services
    const many = Array.from({ length: 12 }, (_none, place) => String.fromCodePoint(0x4e00 + place))
    const { id } = await draft(await newCustomer(), { text: `I agree. ${many.join('')}` })
    await rejects(pdfOf(business, id), {
      message: `The PDF cannot show these characters: ${many.slice(0, 10).join(' ')}. Print the page instead.`,
    })
    const { id: titled } = await draft(await newCustomer(), { title: 'Terms 同' })
    const { id: named } = await draft(await newCustomer('Li 意'))
    const { id: plain } = await draft(await newCustomer())
    await rejects(pdfOf(business, titled), /characters: 同\./)
    await rejects(pdfOf(business, named), /characters: 意\./)
    await rejects(pdfOf({ ...business, name: 'Shop 店' }, plain), /characters: 店\./)
    await setAddress(db, business.id, '1 Main Street\n東')
    await rejects(pdfOf(business, plain), /characters: 東\./)
    await setAddress(db, business.id, null)
    equal((await pdfOf(business, plain)).fileName, `contract-${plain}.pdf`)
  })

  test('has the language, address and logo of the business, and texts without what cannot be seen', async () => {
    const business = await businessOf(service)
    const { db } = service.app.services
    const { id } = await draft(await newCustomer('Ana\u200b Roy'), { text: 'I\u00ad agree.\tAll of it.' })
    const { content: without } = await pdfOf(business, id)
    await setAddress(db, business.id, '1250, rue Saint-Denis\nMontréal')
    await transaction(db, (tx) => replaceLogo(tx, business.id, { mediaType: 'image/png', bytes: PIXEL, hash: 'pixel' }))
    const { content } = await pdfOf({ ...business, locale: 'fr-CA', logoHash: 'pixel' }, id)
    await transaction(db, (tx) => replaceLogo(tx, business.id, null))
    await setAddress(db, business.id, null)
    const isImage = (pdf: Buffer) => pdf.includes('/Subtype /Image')
    deepEqual([isImage(without), isImage(content)], [false, true])
    const { pages, info } = await readPdf(content)
    equal(info.Language, 'fr-CA')
    for (const part of ['Brouillon, non signé', '1250, rue Saint-Denis', 'Ana Roy', 'I agree. All of it.'])
      ok(pages.join(' ').includes(part), `${part} in ${pages.join(' ')}`)
  })

  test('needs a session of its business', async () => {
    const { id } = await draft(await newCustomer())
    equal((await get({ cookie: '' } as DashboardClient, id)).status, 401)
    const other = await secondMerchant(service)
    const stranger = await signIn(service, { businessId: other.demo.business_id })
    equal((await get(stranger, id)).status, 404)
  })
})

test('DSH-33: ten PDFs of contracts a minute for each person', async () => {
  await using limited = await openService({ rateLimits: true })
  const person = await signIn(limited)
  const statuses: number[] = []
  for (let call = 0; call < 11; call++) statuses.push((await person.call(`GET /contracts/${newId()}/pdf`)).status)
  deepEqual(statuses, [...Array(10).fill(404), 429])
})
