import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteOldCardLinksJob } from '../../server/checkout/sessions/session-jobs.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { cardLinkOf } from '../support/customer-card-link.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { payBody, payerOf } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { type MovableClock, movableClock } from '../support/movable-clock.ts'
import { eventsOf } from '../support/recorded.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink } from '../support/sign-up.ts'

// CHK-60: the link of a customer for storing a card lasts 30 days and can be revoked.

const DAY = 86_400

let service: TestService
let clock: MovableClock
let api: MerchantApiClient
let owner: DashboardClient
before(async () => {
  clock = movableClock()
  service = await openService({ clock })
  callInProcess(service)
  api = merchantApiOf(service)
  owner = await signIn(service)
})
after(() => service.close())

const db = () => service.app.services.db
const customer = async (): Promise<string> =>
  (await api.made('/customers', { name: 'Ana Roy', email: `${newId()}@example.com` })).id
const tokenOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''
const revoke = (id: string, by = owner) => by.call(`POST /customers/${id}/revoke_card_links`)
const cardsOf = async (id: string) => (await api.get(`/payment_methods?customer=${id}`)).body.data.length as number
const pay = (token: string) => payerOf(service).pay(token, payBody(CARDS.visa, {}, { amount: 0 }))
/** Returns a person who signs in again, because the clock has moved. */
async function later(days: number): Promise<void> {
  clock.advance(days * DAY)
  owner = await signIn(service)
}

/** Asserts that every public call with the token of a link or a session is refused with the code. */
async function assertRefused(token: string, code: string): Promise<void> {
  const { cardData, ...payment } = payBody(CARDS.visa, {}, { amount: 0 })
  const { cvv: _cvv, saveCard: _save, ...uncoded } = cardData as Record<string, unknown>
  const ofToken = `/api/checkout/${token}`
  const calls: [string, object | null][] = [
    [ofToken, null],
    [`${ofToken}/data`, null],
    [`${ofToken}/surcharge`, { bin: '424242' }],
    [`${ofToken}/customer`, { name: 'Ana Roy', email: 'ana@example.com' }],
    [`${ofToken}/pay`, { cardData, ...payment }],
    [`/api/${service.demo.business_id}/ddd/init`, { ...payment, cardData: uncoded, session_token: token }],
  ]
  for (const [path, body] of calls) {
    const posted = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(`${service.url}${path}`, body === null ? {} : posted)
    const refusal = (await response.json()) as { code?: string }
    deepEqual([path, response.status, refusal.code], [path, 400, code], JSON.stringify(refusal))
  }
}

async function page(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { redirect: 'follow', ...init })
  equal(response.status, 200)
  return response.text()
}

/** Asserts a sentence and no form, on GET and on a post without JavaScript, in three languages. */
async function assertFinished(url: string, sentences: Record<'en' | 'fr-CA' | 'es', RegExp>): Promise<void> {
  const form = new URLSearchParams({ cardnumber: CARDS.visa, expiry: '12/40', cvv: '123' })
  for (const [locale, sentence] of Object.entries(sentences))
    for (const init of [{}, { method: 'POST', body: form }]) {
      const shown = await page(`${url}?locale=${locale}`, init)
      match(shown, sentence)
      doesNotMatch(shown, /<form|<input|<script/)
    }
}

const EXPIRED = {
  en: /was valid for 30 days and has expired\. Nothing was charged\. Ask Demo Shop for a new one/,
  'fr-CA': /était valide 30 jours et a expiré\. Rien n’a été débité\. Demandez-en un nouveau à Demo Shop/,
  es: /era válido 30 días y ha caducado\. No se le ha cobrado nada\. Pida uno nuevo a Demo Shop/,
}
const REVOKED = {
  en: /Demo Shop cancelled this request to save a card\. Nothing was charged\..+ask Demo Shop for a new link/,
  'fr-CA': /Demo Shop a annulé cette demande d’enregistrer une carte\. Rien n’a été débité\..+ à Demo Shop/,
  es: /Demo Shop canceló esta solicitud de guardar una tarjeta\. No se le ha cobrado nada\..+ a Demo Shop/,
}

describe('The end of the card link of a customer', () => {
  test('it works for 30 days, and then says on every path that it has expired', async () => {
    const id = await customer()
    const url = await cardLinkOf(service, id)
    clock.advance(30 * DAY - 60)
    const open = await payerOf(service).data(tokenOf(url))
    equal(open.status, 200)
    const [session] = await sessionsOf(id)
    const [link] = await linksOf(id)
    deepEqual(session?.expires_at, link?.expires_at)
    clock.advance(61)
    await assertFinished(url, EXPIRED)
    await assertRefused(tokenOf(url), 'session_expired')
    equal(await cardsOf(id), 0)
    await later(0)
  })

  test('a session that was opened in time ends with the link', async () => {
    const id = await customer()
    const url = await cardLinkOf(service, id)
    clock.advance(29.5 * DAY)
    const token = await openedLink(url)
    clock.advance(0.5 * DAY + 1)
    equal((await pay(token)).body.code, 'session_expired')
    doesNotMatch(await page(`${new URL(url).origin}/customer/checkout/${token}`), /<form/)
    equal(await cardsOf(id), 0)
    await later(0)
  })

  test('a repeated request makes another link of 30 days, and leaves the first as it is', async () => {
    const id = await customer()
    const first = await cardLinkOf(service, id)
    await later(20)
    const { body } = await owner.call(`POST /customers/${id}/card_request`, { body: { by: 'link' }, key: newId() })
    equal(body.expires, Math.floor(clock.now().getTime() / 1_000) + 30 * DAY)
    const { view } = (await owner.call(`GET /customers/${id}`)).body
    deepEqual(view.card_links, { count: 2, created: body.expires - 30 * DAY, expires: body.expires })
    await later(11)
    match(await page(first), EXPIRED.en)
    equal((await pay(await openedLink(body.url))).body.ok, true)
    equal((await owner.call(`GET /customers/${id}`)).body.view.card_links.count, 1)
    await later(20)
    equal((await owner.call(`GET /customers/${id}`)).body.view.card_links, null)
  })

  test('a revocation ends all links of the customer and what was opened from them, and no other', async () => {
    const [id, other] = [await customer(), await customer()]
    const urls = [await cardLinkOf(service, id), await cardLinkOf(service, id)]
    const [untouched, expired] = [await cardLinkOf(service, other), await cardLinkOf(service, id)]
    await db()
      .updateTable('customer_card_link')
      .set({ expires_at: new Date(0) })
      .where('id', '=', service.app.services.sessionTokens.open(tokenOf(expired))?.id ?? '')
      .execute()
    const session = await openedLink(urls[0] ?? '')
    const { status, body } = await revoke(id)
    deepEqual([status, body.id, body.view.card_links], [200, id, null])
    for (const url of urls) {
      await assertFinished(url, REVOKED)
      await assertRefused(tokenOf(url), 'session_cancelled')
    }
    await assertRefused(session, 'session_cancelled')
    await assertFinished(`${new URL(untouched).origin}/customer/checkout/${session}`, REVOKED)
    match(await page(expired), EXPIRED.en)
    deepEqual([await cardsOf(id), (await pay(await openedLink(untouched))).body.ok], [0, true])
    const [closed] = await sessionsOf(id)
    deepEqual(
      (await eventsOf(service, closed?.id ?? '')).map(({ type }) => type),
      ['checkout.session.canceled'],
    )
  })

  test('a session that has stored the card stays completed when the link is revoked', async () => {
    const id = await customer()
    const token = await openedLink(await cardLinkOf(service, id))
    equal((await pay(token)).body.ok, true)
    equal((await revoke(id)).status, 200)
    deepEqual([await cardsOf(id), (await sessionsOf(id))[0]?.status], [1, 'COMPLETED'])
  })

  test('a revocation at the same time as a payment: a card is stored, or the session is canceled', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await customer()
      const token = await openedLink(await cardLinkOf(service, id))
      const [paid, revoked] = await Promise.all([pay(token), revoke(id)])
      equal(revoked.status, 200)
      const [session] = await sessionsOf(id)
      equal(session?.status, paid.body.ok ? 'COMPLETED' : 'CANCELLED', JSON.stringify(paid.body))
      equal(await cardsOf(id), paid.body.ok ? 1 : 0)
    }
  })

  test('a revocation at the same time as the link is opened leaves no open session', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await customer()
      const url = await cardLinkOf(service, id)
      await Promise.all([fetch(url, { redirect: 'manual' }), revoke(id), fetch(url, { redirect: 'manual' })])
      deepEqual(
        (await sessionsOf(id)).filter(({ status }) => status === 'PENDING'),
        [],
      )
    }
  })

  test('is audited, refused when nothing is out, and for those who may ask for cards', async () => {
    const id = await customer()
    deepEqual([(await revoke(id)).status, (await revoke(newId())).status], [409, 404])
    await cardLinkOf(service, id)
    for (const role of ['analyst'] as const) equal((await revoke(id, await signIn(service, { role }))).status, 403)
    equal((await revoke(id)).status, 200)
    equal((await revoke(id)).status, 409)
    const entry = await db().selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirst()
    deepEqual(
      [entry?.action, entry?.object_type, entry?.object_id, entry?.after],
      ['customer.revoke_card_links', 'customer', id, { links: 1 }],
    )
  })

  test('the letter says until when, is not written for a link that was revoked before, and not sent again after', async () => {
    const [id, gone] = [await customer(), await customer()]
    const ask = (of: string) =>
      owner.call(`POST /customers/${of}/card_request`, { body: { by: 'letter' }, key: newId() })
    const [asked] = [await ask(id), await ask(gone)]
    equal((await revoke(gone)).status, 200)
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letters = (await lettersOf(service)).filter(({ kind }) => kind === 'card_request')
    deepEqual(
      letters.map(({ object_id }) => object_id),
      [id],
    )
    const [letter] = letters
    ok(letter?.body_text.includes(asked.body.url))
    const zone = (await db().selectFrom('business').select('time_zone').executeTakeFirstOrThrow()).time_zone
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: zone })
    match(
      letter?.body_text ?? '',
      new RegExp(`The link is valid until ${day.format(asked.body.expires * 1_000)} at \\d+:\\d\\d`),
    )
    equal((await owner.call(`POST /letters/${letter?.id}/resend`)).status, 201)
    equal((await revoke(id)).status, 200)
    equal((await owner.call(`POST /letters/${letter?.id}/resend`)).status, 409)
  })

  test('the time is that of the business: a test clock that is ahead ends the link', async () => {
    const id = await customer()
    const url = await cardLinkOf(service, id)
    equal((await api.post('/test_clock/advance', { days: 31 })).status, 200)
    match(await page(url), EXPIRED.en)
  })

  test('rows of links that ended a year ago are deleted', async () => {
    const id = await customer()
    await cardLinkOf(service, id)
    await deleteOldCardLinksJob.run(service.app.services, {})
    equal((await linksOf(id)).length, 1)
    clock.advance((31 + 30 + 366) * DAY)
    await deleteOldCardLinksJob.run(service.app.services, {})
    equal((await linksOf(id)).length, 0)
  })
})

const sessionsOf = (id: string) =>
  db().selectFrom('checkout_session').selectAll().where('customer_id', '=', id).where('mode', '=', 'setup').execute()
const linksOf = (id: string) =>
  db().selectFrom('customer_card_link').selectAll().where('customer_id', '=', id).execute()
