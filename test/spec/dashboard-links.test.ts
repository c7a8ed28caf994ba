import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { LetterKind } from '../../contract/letters.ts'
import { may, ROLES } from '../../contract/permissions.ts'
import { transaction } from '../../server/db/transaction.ts'
import { insertLetters } from '../../server/emails/letter-queries.ts'
import type { Route } from '../../server/http/route.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { callOf, dashboardName, type Furnished, furnish, isOfBusiness, neededQuery } from '../support/furnished.ts'
import { merchantApiOf } from '../support/merchant-api.ts'
import { newLetter } from '../support/new-letter.ts'
import { sampleCall } from '../support/sample-call.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, waitingSubscription } from '../support/sign-up.ts'
import { until } from '../support/until.ts'
import { makeEndpoint } from '../support/webhook-endpoint.ts'
import { openReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

// DSH-110: whoever has a link of a customer can act as that customer, so reads of the dashboard never show one.

let service: TestService
let receiver: WebhookReceiver
let owner: DashboardClient
let own: Furnished
let contract: string
before(async () => {
  service = await openService({ timeScale: 1 })
  callInProcess(service)
  await service.app.startWorker()
  // An endpoint that responds with its request, as many do during development.
  receiver = await openReceiver((response, { body }) => response.writeHead(500).end(body))
  owner = await signIn(service, { isSteppedUp: true })
  own = await furnish(service, owner, service.demo.business_id)
  const endpoint = await makeEndpoint(service.app.services, { businessId: service.demo.business_id, url: receiver.url })
  const api = merchantApiOf(service)
  const { id: subscription, customer } = await waitingSubscription(api)
  await openedLink((await api.get(`/subscriptions/${subscription}`)).body.checkout_url)
  contract = (await owner.call('POST /contracts', { body: { customer, subscription, title: 'Terms', text: 'Yes.' } }))
    .body.id
  equal((await owner.call(`POST /contracts/${contract}/send`)).status, 200)
  const link = await owner.call('POST /checkout_sessions', {
    body: { amount_total: 500, customer_email: 'a@example.com' },
  })
  equal(link.status, 201)
  equal((await owner.call(`POST /customers/${customer}/card_request`, { body: { by: 'link' } })).status, 200)
  own = {
    ...own,
    subscriptions: subscription,
    customers: customer,
    checkout_sessions: link.body.id,
    contracts: contract,
  }
  own = { ...own, webhook_endpoints: endpoint.id }
  const linked = await until('the event of the contract was delivered', () =>
    receiver.received.find(({ body }) => linksIn(body).length > 1),
  )
  own.events = JSON.parse(linked?.body ?? '{}').id
  await until('the response is kept', async () => {
    const { body } = await owner.call(`GET /events/${own.events}/deliveries`)
    return body.data.some((one: { attempts: unknown[] }) => one.attempts.length > 0)
  })
})
after(async () => {
  await receiver.close()
  await service.close()
})

/** Returns every token in a text that the service would accept. */
function linksIn(text: string): string[] {
  const { sessionTokens, walletFrames } = service.app.services
  const found = text.match(/[\w-]{64,}/g) ?? []
  return found.filter((one) => [sessionTokens, walletFrames].some((tokens) => tokens.open(one.slice(0, 64)) !== null))
}

const isReading = ({ method, rights }: Route) =>
  method === 'GET' || rights?.kind === 'preview' || rights?.kind === 'export'

describe('Reading the dashboard', () => {
  for (const role of ROLES)
    test(`shows no link to the ${role}: pages, lists, events, deliveries, exports, previews (DSH-110)`, async (t) => {
      const client = await signIn(service, { role, isSteppedUp: true })
      const reads = service.app.routes.filter(isOfBusiness).filter(isReading)
      let shown = 0
      for (const route of reads) {
        const name = dashboardName(route)
        const isGet = route.method === 'GET'
        const options = isGet ? { query: neededQuery(name, own) } : sampleCall(route, own)
        // A person has ten exports an hour.
        const person = route.rights?.kind === 'export' ? await signIn(service, { role, isSteppedUp: true }) : client
        const { status, body } = await person.call(callOf(route, own), options)
        if (status === 200) shown += 1
        deepEqual(linksIn(JSON.stringify(body)), [], `${role} ${name}`)
      }
      t.diagnostic(`${reads.length} calls, ${shown} were answered`)
      ok(shown > 30, `${shown}`)
    })

  test('shows the events as the merchant gets them, but for the links', async () => {
    const { body } = await owner.call(`GET /events/${own.events}`)
    const { body: sent } = await merchantApiOf(service).get(`/events/${own.events}`)
    match(sent.data.object.checkout_url, /\/customer\/checkout\//)
    match(sent.data.object.contract.url, /\/customer\/checkout\//)
    deepEqual([body.data.object.checkout_url, body.data.object.contract.url], [null, null])
    const delivered = receiver.received.map(({ body: one }) => JSON.parse(one)).find(({ id }) => id === own.events)
    deepEqual(delivered, sent)
  })
})

describe('A link of a customer', () => {
  const calls = () =>
    ({
      [`POST /checkout_sessions/${own.checkout_sessions}/show_link`]: 'sessions.write',
      [`POST /subscriptions/${own.subscriptions}/show_link`]: 'contracts.write',
      [`POST /contracts/${own.contracts}/show_link`]: 'contracts.write',
    }) as const

  for (const role of ROLES)
    test(`is shown to the ${role} who may do the same, and the audit log says so (DSH-110)`, async () => {
      const client = await signIn(service, { role })
      for (const [name, permission] of Object.entries(calls())) {
        const { status, body } = await client.call(name)
        const text = JSON.stringify(body)
        const isAllowed = may(role, permission, 'staging')
        equal(status, isAllowed ? 200 : 403, `${role} ${name} ${text}`)
        equal(linksIn(text).length, isAllowed ? 1 : 0, name)
        if (!isAllowed) continue
        equal(body.object, 'link')
        const { body: audit } = await owner.call('GET /audit', { query: { limit: 1 } })
        const [entry] = audit.data
        ok(entry.action.endsWith('.show_link') && JSON.stringify(entry).includes(name.split('/')[2] ?? '-'), name)
        deepEqual(linksIn(JSON.stringify(audit)), [])
      }
    })

  const LETTERS = {
    contract_link: ['contracts.write'],
    card_request: ['customers.write'],
    subscription_link: ['subscriptions.write', 'contracts.write'],
  } as const

  for (const role of ROLES)
    test(`in a letter of staging is shown to the ${role} who may do the same, and the audit log says so (DSH-110)`, async () => {
      const client = await signIn(service, { role })
      for (const [kind, permissions] of Object.entries(LETTERS)) {
        const letter = newLetter({ businessId: service.demo.business_id, kind: kind as LetterKind, linkId: contract })
        await transaction(service.app.services.db, (tx) => insertLetters(tx, [letter]))
        const { status, body } = await client.call(`POST /mailbox/${letter.id}/show_link`)
        const isAllowed = (['test.use', ...permissions] as const).every((one) => may(role, one, 'staging'))
        equal(status, isAllowed ? 200 : 403, `${role} ${kind} ${JSON.stringify(body)}`)
        equal(linksIn(JSON.stringify(body)).length, isAllowed ? 1 : 0, kind)
        const { body: audit } = await owner.call('GET /audit', { query: { limit: 1 } })
        const [{ action, about, outcome }] = audit.data
        if (isAllowed) deepEqual([action, about?.id, outcome], ['letter.show_link', letter.id, 'done'])
        else equal(outcome, 'refused')
        deepEqual(linksIn(JSON.stringify(audit)), [])
      }
    })

  test('is not shown of a letter without one', async () => {
    const letter = newLetter({ businessId: service.demo.business_id })
    await transaction(service.app.services.db, (tx) => insertLetters(tx, [letter]))
    equal((await owner.call(`POST /mailbox/${letter.id}/show_link`)).status, 409)
  })
})
