import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink } from '../support/sign-up.ts'

// CHK-60, LTR-7: a person of the business asks a customer for a card.

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service)
})
after(() => service.close())

const db = () => service.app.services.db
const makeCustomer = async (more: object = {}): Promise<{ id: string; email: string }> =>
  (await owner.call('POST /customers', { body: { name: 'Ana Roy', email: `${newId()}@example.com`, ...more } })).body
const ask = (id: string, by: string, key = newId(), client = owner) =>
  client.call(`POST /customers/${id}/card_request`, { body: { by }, key })
const lastAudit = () => db().selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirst()
const composed = async () => {
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  return lettersOf(service)
}

describe('POST /customers/{id}/card_request', () => {
  test('sends the customer a letter with the link, on which they store a card', async () => {
    const { id, email } = await makeCustomer()
    const { status, body } = await ask(id, 'letter')
    deepEqual([status, body.object, body.customer, body.letter_to], [200, 'card_request', id, email])
    const letter = (await composed()).at(-1)
    deepEqual(
      [letter?.audience, letter?.kind, letter?.recipient, letter?.object_id, letter?.subject],
      ['customer', 'card_request', email, id, 'Please save a card for Demo Shop'],
    )
    ok(letter?.body_text.includes(body.url))
    const paid = await payerOf(service).pay(await openedLink(body.url), payBody(CARDS.visa, {}, { amount: 0 }))
    equal(paid.body.ok, true, JSON.stringify(paid.body))
    const { body: page } = await owner.call(`GET /customers/${id}`)
    deepEqual(
      [page.view.payment_methods.length, page.view.sessions.data.map((one: { status: string }) => one.status)],
      [1, ['COMPLETED']],
    )
    equal(page.view.letters.data[0].kind, 'card_request')
  })

  test('gives the link to the person, and sends nothing', async () => {
    const { id } = await makeCustomer({ email: undefined })
    const known = (await composed()).length
    const { status, body } = await ask(id, 'link')
    deepEqual([status, body.letter_to], [200, null])
    equal((await fetch(body.url, { redirect: 'manual' })).status, 303)
    equal((await composed()).length, known)
  })

  test('is in the audit log, without the link', async () => {
    const { id } = await makeCustomer()
    await ask(id, 'link')
    const entry = await lastAudit()
    deepEqual(
      [entry?.action, entry?.object_type, entry?.object_id, entry?.before, entry?.after],
      ['customer.request_card', 'customer', id, null, { by: 'link' }],
    )
  })

  test('a repeated call sends no second letter, and gets no link: it is stored nowhere', async () => {
    const [{ id }, key] = [await makeCustomer(), newId()]
    const first = await ask(id, 'letter', key)
    const known = (await composed()).length
    const again = await ask(id, 'letter', key)
    deepEqual([again.status, again.body], [200, { ...first.body, url: null }])
    equal((await composed()).length, known)
    const stored = await db().selectFrom('dashboard_request').selectAll().where('key', '=', key).executeTakeFirst()
    const token = new URL(first.body.url).pathname.split('/').at(-1) ?? ''
    ok(token.length > 40 && !JSON.stringify(stored).includes(token))
    equal((await ask(id, 'link', key)).body.error.code, 'idempotency_key_reused')
  })

  test('is refused without an address for the letter, and for an unknown way', async () => {
    const { id } = await makeCustomer({ email: undefined })
    const known = (await composed()).length
    deepEqual([(await ask(id, 'letter')).status, (await ask(id, 'pigeon')).body.error.param], [409, 'by'])
    equal((await composed()).length, known)
  })

  test('is for those who may change customers, and for customers of their own business', async () => {
    const { id } = await makeCustomer()
    const analyst = await signIn(service, { role: 'analyst' })
    equal((await ask(id, 'link', newId(), analyst)).status, 403)
    const foreign = await secondMerchant(service)
    const [other] = await db()
      .insertInto('customer')
      .values({
        business_id: foreign.demo.business_id,
        id: newId(),
        name: 'Else',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .execute()
    for (const unknown of [other?.id ?? '', newId()]) equal((await ask(unknown, 'link')).status, 404)
  })
})
