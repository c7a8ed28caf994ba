import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDueOfAll } from '../../server/emails/compose/compose-due.ts'
import { finishLetter } from '../../server/emails/letter-queries.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { merchantOf, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { findSecrets, type Secrets } from '../support/secret-scan.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, waitingSubscription } from '../support/sign-up.ts'
import { until } from '../support/until.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { openReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { dumpRows } from '../support/whole-database.ts'

// SEC-111: every link and code that a response, a letter or a webhook has shown is learned; then none of them is in the
// database, in any table, nor in the log.

let service: TestService
let receiver: WebhookReceiver
let owner: DashboardClient
const secrets: Secrets = {}

/** Learns the tokens of links, and codes behind a `#`. */
function learn(where: string, given: unknown): void {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  const found = [
    ...text.matchAll(/\/customer\/checkout(?:-rapid)?\/([\w-]{64})/g),
    ...text.matchAll(/\/dashboard\/(?:reset|welcome)#([\w-]{20,})/g),
  ]
  for (const [, secret = ''] of found) secrets[`${where} ${Object.keys(secrets).length}`] = secret
}

async function called(name: string, body?: object) {
  const response = await owner.call(name, body && { body })
  ok(response.status < 300, `${name} ${JSON.stringify(response.body)}`)
  learn(name, response.body)
  return response.body
}

before(async () => {
  service = await openService({ timeScale: 1 })
  await service.app.startWorker()
  receiver = await openReceiver((response, { body }) =>
    response.writeHead(500, { 'x-echo': body.slice(-150) }).end(`You sent ${body}`),
  )
  owner = await signIn(service, { isSteppedUp: true })
  await makeEndpoint(service.app.services, { businessId: service.demo.business_id, url: receiver.url })
  const api = merchantApiOf(service)
  const made = await waitingSubscription(api)
  learn('POST /subscriptions', made)
  learn('the session of the link', `/customer/checkout/${await openedLink(made.checkout_url)}`)
  await api.patch(`/customers/${made.customer}`, { email: 'ana@customer.example' })
  const { id: contract } = await called('POST /contracts', {
    ...{ customer: made.customer, subscription: made.id, title: 'Terms', text: 'I agree.' },
  })
  await called(`POST /contracts/${contract}/send`)
  await called(`POST /contracts/${contract}/show_link`)
  await called(`POST /subscriptions/${made.id}/link`)
  await called(`POST /customers/${made.customer}/card_request`, { by: 'letter' })
  const session = await called('POST /checkout_sessions', { amount_total: 900, customer_email: 'a@example.com' })
  await called(`POST /checkout_sessions/${session.id}/show_link`)
  learn('a session', (await merchantOf(service).createSession()).body)
  await called('POST /team/invitations', { email: 'new@shop.example', role: 'support' })
  const forgotten = await send(`${service.formUrl}/dashboard/auth/password/forgotten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.formUrl },
    body: JSON.stringify({ email: owner.email }),
  })
  equal(forgotten.status, 200, JSON.stringify(forgotten.body))
})
after(async () => {
  await receiver.close()
  await service.close()
})

const findings = async () => findSecrets(await dumpRows(service.databaseUrl), secrets)

describe('A secret that travels through the outbox', () => {
  test('is in no table before its letter is composed, after it, and once it was kept (SEC-111)', async () => {
    deepEqual(await findings(), [])
    await composeDueOfAll(service.app.services)
    await until('the letters are there', async () => (await lettersOf(service)).length >= 5)
    for (const { kind, html, body_text } of await lettersOf(service)) {
      learn(`${kind}, HTML`, html)
      learn(`${kind}, text`, body_text)
    }
    await until('webhooks were answered', async () => receiver.received.length >= 4)
    for (const { body } of receiver.received) learn('a webhook', body)
    const names = Object.keys(secrets).join('\n')
    for (const wanted of [
      'password_reset',
      'invitation',
      'contract_link',
      'subscription_link',
      'card_request',
      'a webhook',
    ])
      ok(names.includes(wanted), `${wanted} was not learned: ${names}`)
    deepEqual(await findings(), [])
  })

  test('is not in the log', () => deepEqual(findSecrets(service.logged(), secrets), []))

  test('is wiped once the letter was sent (LTR-110)', async () => {
    const { db, clock } = service.app.services
    const people = await db.selectFrom('letter').selectAll().where('sealed_link', 'is not', null).execute()
    equal(people.length, 2)
    for (const { business_id: businessId, id, attempts } of people) {
      const due_at = clock.now()
      await db.updateTable('letter').set({ status: 'pending', due_at }).where('id', '=', id).execute()
      ok(await finishLetter(db, { businessId, id, attempts }, { status: 'sent', now: clock.now() }))
    }
    equal((await db.selectFrom('letter').select('id').where('sealed_link', 'is not', null).execute()).length, 0)
    const notifications = await db.selectFrom('notification').select('data').execute()
    ok(!JSON.stringify(notifications).includes('sealed_code'))
    const [{ id = '' } = {}] = people
    const again = await owner.call(`POST /letters/${id}/resend`)
    deepEqual([again.status, again.body.error?.code], [409, 'conflict'])
  })
})
