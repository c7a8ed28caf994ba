import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { base32 } from '@better-auth/utils/base32'
import { composeDueOfAll } from '../../server/emails/compose/compose-due.ts'
import { finishLetter } from '../../server/emails/letter-queries.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callOf, furnish, isOfBusiness } from '../support/furnished.ts'
import { bodyRoutes } from '../support/hostile-routes.ts'
import { lettersOf } from '../support/letters.ts'
import { merchantOf, send } from '../support/merchant.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { sampleCall } from '../support/sample-call.ts'
import { findSecrets, type Secrets } from '../support/secret-scan.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, waitingSubscription } from '../support/sign-up.ts'
import { until } from '../support/until.ts'
import { totpCode } from '../support/visitor.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { openReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { dumpRows } from '../support/whole-database.ts'

// SEC-111: every route is called. The links, codes and credentials in responses, letters and webhooks are collected;
// then none of them may be in the database, in any table, nor in the log, nor at the gateway.

let service: TestService
let receiver: WebhookReceiver
let owner: DashboardClient
const folder = mkdtempSync(join(tmpdir(), 'rialto-outbox-'))
const ledger = join(folder, 'ledger.jsonl')
const secrets: Secrets = {}

/** Patterns of links, codes and credentials. */
const SHAPES: Record<string, RegExp> = {
  link: /\/customer\/checkout(?:-rapid)?\/([\w-]{64})/g,
  code: /\/dashboard\/(?:reset|welcome)#([\w-]{20,})/g,
  credential: /\b(rc_[a-z]{2}_[\w-]{20,})/g,
  'webhook secret': /\b(whsec_[\w+/-]{20,}=*)/g,
  ticket: /"ticket":"([\w-]{20,})"/g,
  'TOTP secret': /[?&]secret=([A-Z2-7]{16,})/g,
  'recovery code': /"recovery_codes":\[([^\]]*)/g,
}

/** Places where each pattern was seen. */
const shown = new Set<string>()

/** @param text text of a response, a letter or a webhook, whose secrets must not be anywhere else */
function learn(where: string, text: string): void {
  if (where.endsWith('/openapi.json')) return
  for (const [shape, pattern] of Object.entries(SHAPES))
    for (const [, found = ''] of text.matchAll(pattern))
      for (const secret of found.split(/[",]+/).filter(Boolean)) {
        const name = `${shape} of ${where.replace(/\(\^.*?\$\)/g, '')}`
        shown.add(name)
        if (!Object.values(secrets).includes(secret)) secrets[`${name} ${Object.keys(secrets).length}`] = secret
      }
}

async function called(name: string, body?: object, by = owner) {
  const response = await by.call(name, body && { body })
  ok(response.status < 300, `${name} ${JSON.stringify(response.body)}`)
  return response.body
}

before(async () => {
  service = await openService({ timeScale: 0.05, simulatorLedger: ledger, onResponse: learn })
  await service.app.startWorker()
  receiver = await openReceiver((response, { body }) =>
    response.writeHead(500, { 'x-echo': body.slice(-150) }).end(`You sent ${body}`),
  )
  owner = await signIn(service, { isSteppedUp: true })
  const furnished = await furnish(service, owner, service.demo.business_id)
  const own = { ...furnished, 'team/members': (await signIn(service, { role: 'support' })).userId }
  await makeEndpoint(service.app.services, { businessId: service.demo.business_id, url: receiver.url })
  await linksOfCustomers()
  await codesOfPeople()
  for (const route of await bodyRoutes(service)) await route.send(JSON.stringify(route.body))
  // Reads come last, so that they show what the changes have left.
  const routes = service.app.routes
    .filter(isOfBusiness)
    .sort((a, b) => Number(a.method === 'GET') - Number(b.method === 'GET'))
  for (const route of routes)
    if (!route.path.endsWith('/leave')) await owner.call(callOf(route, own), sampleCall(route, own))
})

async function linksOfCustomers(): Promise<void> {
  const api = merchantApiOf(service)
  const made = await waitingSubscription(api)
  await openedLink(made.checkout_url)
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
  await merchantOf(service).createSession()
}

async function codesOfPeople(): Promise<void> {
  await called('POST /team/invitations', { email: 'new@shop.example', role: 'support' })
  const person = await signIn(service, { isSteppedUp: true })
  const { ticket, secret } = await called('POST /dashboard/auth/totp', {}, person)
  learn('the authenticator app', `?secret=${Buffer.from(base32.decode(secret)).toString()}`)
  await called('POST /dashboard/auth/totp/verify', { ticket, code: await totpCode(service, secret) }, person)
  const forgotten = await send(`${service.formUrl}/dashboard/auth/password/forgotten`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.formUrl },
    body: JSON.stringify({ email: owner.email }),
  })
  equal(forgotten.status, 200, JSON.stringify(forgotten.body))
}
after(async () => {
  await receiver.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

describe('A secret that travels through the outbox', () => {
  test('before letters are composed, is in no table (SEC-111)', async () => {
    deepEqual(findSecrets(await dumpRows(service.databaseUrl), secrets), [])
  })

  test('and after it, with all that letters and webhooks have shown (SEC-111)', async (t) => {
    await composeDueOfAll(service.app.services)
    await until('the letters are there', async () => (await lettersOf(service)).length >= 5)
    for (const { kind, html, body_text } of await lettersOf(service)) {
      learn(`${kind}, HTML`, html)
      learn(`${kind}, text`, body_text)
    }
    await until('webhooks were answered', async () => receiver.received.length >= 4)
    for (const { body } of receiver.received) learn('a webhook', body)
    t.diagnostic(`${Object.keys(secrets).length} secrets: ${[...shown].join(', ')}`)
    for (const wanted of [...Object.keys(SHAPES), 'password_reset', 'invitation', 'contract_link', 'card_request'])
      ok(
        [...shown].some((name) => name.includes(wanted)),
        `${wanted} was not learned`,
      )
    deepEqual(findSecrets(await dumpRows(service.databaseUrl), secrets), [])
  })

  test('is not in the log', () => deepEqual(findSecrets(service.logged(), secrets), []))

  test('is not at the gateway', () => deepEqual(findSecrets(readFileSync(ledger, 'utf8'), secrets), []))

  test('is wiped once the letter was sent (LTR-110)', async () => {
    const { db, clock } = service.app.services
    const people = await db.selectFrom('letter').selectAll().where('sealed_link', 'is not', null).execute()
    ok(people.length >= 3)
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
