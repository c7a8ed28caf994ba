import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Business } from '../../server/businesses/business.ts'
import { replaceLogo } from '../../server/businesses/logo-queries.ts'
import { contractPdf } from '../../server/dashboard/contracts/contract-pdf.ts'
import type { Db } from '../../server/db/connection.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { businessOf } from '../support/business-of.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { readPdf } from '../support/read-pdf.ts'
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

/** One transparent point. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

describe('The PDF of a contract', () => {
  const pdfOf = (business: Business, id: string) => contractPdf({ db: service.app.services.db }, business, id)
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
    const { id } = await draft(await newCustomer(), { text: 'I agree. 𓀀𓀁' })
    const { status, body } = await owner.call(`GET /contracts/${id}/pdf`)
    deepEqual([status, body.error.code], [409, 'conflict'])
    match(body.error.message, /cannot show these characters: 𓀀 𓀁\./)
  })

  test('names ten of them at most, whichever part has them', async () => {
    const business = await businessOf(service)
    const { db } = service.app.services
    const many = Array.from({ length: 12 }, (_none, place) => String.fromCodePoint(0x13000 + place))
    const { id } = await draft(await newCustomer(), { text: `I agree. ${many.join('')}` })
    await rejects(pdfOf(business, id), {
      message: `The PDF cannot show these characters: ${many.slice(0, 10).join(' ')}. Print the page instead.`,
    })
    const { id: titled } = await draft(await newCustomer(), { title: 'Terms 𓀀' })
    const { id: named } = await draft(await newCustomer('Li 𓀁'))
    const { id: plain } = await draft(await newCustomer())
    await rejects(pdfOf(business, titled), /characters: 𓀀\./)
    await rejects(pdfOf(business, named), /characters: 𓀁\./)
    await rejects(pdfOf({ ...business, name: 'Shop 𓀂' }, plain), /characters: 𓀂\./)
    await setAddress(db, business.id, '1 Main Street\n𓀃')
    await rejects(pdfOf(business, plain), /characters: 𓀃\./)
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

  test('DSH-123: a text that is too long is refused when it is shown and when it is written', async () => {
    const customer = await newCustomer('A name of many words '.repeat(10).trim())
    for (const [text, why] of [
      ['{{customer_name}}\n'.repeat(600), /text must have at most 100000 characters when its placeholders are filled/],
      ['a\n'.repeat(2_001), /text must have at most 2000 lines; it has 2001/],
    ] as const)
      for (const [call, body] of [
        ['POST /contracts/preview', { customer, text }],
        ['POST /contracts', { customer, text, title: 'Terms' }],
      ] as const) {
        const refused = await owner.call(call, { body })
        deepEqual([refused.status, refused.body.error.param], [422, 'text'])
        match(refused.body.error.message, why)
      }
  })

  test('DSH-123: a few PDFs of a business wait for each other, and more are refused for now', async () => {
    const { id } = await draft(await newCustomer(), { text: 'I agree to all of this.\n\n'.repeat(900) })
    const responses = await Promise.all(Array.from({ length: 30 }, () => get(owner, id)))
    const statuses = new Set(responses.map(({ status }) => status))
    deepEqual([...statuses].sort(), [200, 503])
    ok(responses.filter(({ status }) => status === 200).length >= 20)
    for (const response of responses)
      if (response.status === 503) equal(response.headers.get('retry-after'), '5')
      else match(await pagesOf(response), /I agree to all of this/)
    equal((await get(owner, id)).status, 200)
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
