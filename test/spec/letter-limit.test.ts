import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { bodyOf, changeIds, changesOf } from '../support/dashboard-changes.ts'
import { type Furnished, furnish } from '../support/furnished.ts'
import { lettersOf } from '../support/letters.ts'
import type { Response } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { newPerson, visitor } from '../support/visitor.ts'

// LTR-13: letters that a call causes indirectly.

let service: TestService
let people: [DashboardClient, DashboardClient]
let ids: Furnished
before(async () => {
  service = await openService({ rateLimits: true })
  callInProcess(service)
  people = [await signIn(service, { isSteppedUp: true }), await signIn(service, { isSteppedUp: true })]
  // Its calls exceed the rate limit of one person.
  await using unlimited = await openService({ beside: service })
  ids = await furnish(unlimited, people[0], service.demo.business_id)
})
after(() => service.close())

const db = () => service.app.services.db
const compose = () => composeDue(service.app.services, { businessId: service.demo.business_id })
const countTo = async (recipient: string) => {
  await compose()
  return (await lettersOf(service)).filter((letter) => letter.recipient === recipient).length
}

async function newCustomer(): Promise<{ id: string; email: string }> {
  const email = `${newId()}@customer.example`
  const { status, body } = await people[0].call('POST /customers', { body: { email, name: 'Ana' } })
  equal(status, 201)
  return { id: body.id, email }
}

async function newContract(customer: string): Promise<string> {
  const body = { customer, title: 'Terms', text: 'I agree.' }
  return (await people[0].call('POST /contracts', { body })).body.id
}

const subscribe = (client: DashboardClient, customer: string) =>
  client.call('POST /subscriptions', { body: { customer, price: ids.prices } })

type Send = (client: DashboardClient) => Promise<Response>

/** For each call that causes a letter: what it sends to the same address. */
const CALLS: Record<string, () => Promise<{ to: string; send: Send }>> = {
  'POST /team/invitations': async () => {
    const email = `${newId()}@invited.example`
    return { to: email, send: (by) => by.call('POST /team/invitations', { body: { email, role: 'support' } }) }
  },
  'POST /settings/letters/test': async () => {
    const [{ email, call }] = people
    const body = { letter: 'customer.refund', locale: 'en' }
    return { to: email, send: () => call('POST /settings/letters/test', { body }) }
  },
  'POST /letters/{id}/resend': async () => {
    const recipient = `${newId()}@customer.example`
    const id = ids.letters ?? ''
    await db().updateTable('letter').set({ recipient }).where('id', '=', id).execute()
    return { to: recipient, send: (by) => by.call(`POST /letters/${id}/resend`) }
  },
  'POST /customers/{id}/card_request': async () => {
    const { id, email } = await newCustomer()
    return { to: email, send: (by) => by.call(`POST /customers/${id}/card_request`, { body: { by: 'letter' } }) }
  },
  'POST /contracts/{id}/send': async () => {
    const { id, email } = await newCustomer()
    return { to: email, send: async (by) => by.call(`POST /contracts/${await newContract(id)}/send`) }
  },
  'POST /contracts/{id}/resend': async () => {
    const { id, email } = await newCustomer()
    const contract = await newContract(id)
    const sent = await people[0].call(`POST /contracts/${contract}/send`)
    equal(sent.status, 200)
    let isFirst = true
    const send: Send = async (by) => {
      if (!isFirst) return by.call(`POST /contracts/${contract}/resend`)
      isFirst = false
      return sent
    }
    return { to: email, send }
  },
  'POST /subscriptions/{id}/link': async () => {
    const { id, email } = await newCustomer()
    const made = await subscribe(people[0], id)
    equal(made.status, 201)
    let isFirst = true
    // The subscription has already sent the first letter.
    const send: Send = async (by) => {
      if (!isFirst) return by.call(`POST /subscriptions/${made.body.id}/link`)
      isFirst = false
      return made
    }
    return { to: email, send }
  },
}

describe('Letters that a call causes (LTR-13)', () => {
  for (const [name, prepare] of Object.entries(CALLS))
    test(`${name}: five an hour to one address, whoever sends them; the sixth is refused`, async () => {
      const { to, send } = await prepare()
      const found: number[] = []
      for (let index = 0; index < 7; index++) {
        const { status, headers, body } = await send(people[index % 2] as DashboardClient)
        found.push(status)
        if (status !== 429) continue
        match(body.error.message, /^This address gets at most 5 letters an hour\./)
        ok(Number(headers.get('retry-after')) > 3_500)
      }
      ok(
        found.slice(0, 5).every((status) => status < 300),
        String(found),
      )
      deepEqual(found.slice(5), [429, 429])
      // The letter that is resent was there before.
      equal(await countTo(to), name === 'POST /letters/{id}/resend' ? 6 : 5)
    })

  test('the sixth subscription that waits for a card is made without its letter', async () => {
    const { id, email } = await newCustomer()
    for (let index = 0; index < 7; index++) equal((await subscribe(people[1], id)).status, 201)
    equal(await countTo(email), 5)
  })

  test('an address has five of new passwords, in silence, and no business uses them up', async () => {
    const { email } = await newPerson(service)
    const { call } = people[1]
    for (let index = 0; index < 6; index++) await call('POST /team/invitations', { body: { email, role: 'support' } })
    const before = await countTo(email)
    for (let index = 0; index < 7; index++) {
      const spelled = index % 2 === 0 ? email : ` ${email.toUpperCase()} `
      const { status } = await visitor(service).call('POST /dashboard/auth/password/forgotten', {
        email: spelled.trim(),
      })
      equal(status, 200)
    }
    await until('five letters are there', async () => (await countTo(email)) - before === 5)
  })

  test('no other change in the dashboard causes one', async (t) => {
    await using unlimited = await openService({ beside: service })
    const { userId: colleague } = await signIn(service, { role: 'support' })
    const [owner] = people
    const on = { ...owner, call: (name: string, more = {}) => owner.call(name, { ...more, on: unlimited }) }
    const calls = changesOf(await changeIds(on, ids, colleague))
    // No worker composes letters about an event.
    const counted = async () => {
      const facts = db().selectFrom('notification').select('id').where('event_id', 'is', null)
      return (await facts.execute()).length + (await lettersOf(service)).length
    }
    const causing: string[] = []
    for (const change of calls) {
      const before = await counted()
      await on.call(change.name, { body: await bodyOf(on, change) })
      if ((await counted()) > before) causing.push(change.name.replace(/\/[0-9a-f-]{36}/, '/{id}'))
    }
    t.diagnostic(`${calls.length} changes, ${causing.length} of them cause letters`)
    // These calls notify by letter, but are not called in order to send one.
    const told = ['POST /team/members/{id}/reset-factors', 'POST /test_clock/advance']
    deepEqual(
      causing.filter((name) => !(name in CALLS || told.includes(name))),
      [],
    )
  })
})
