import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { mailboxLink } from '../../server/access/shared/mailbox-key.ts'
import { transaction } from '../../server/db/transaction.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { insertLetters } from '../../server/emails/letter-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { send } from '../support/merchant.ts'
import { newLetter } from '../support/new-letter.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { newPerson, visitor } from '../support/visitor.ts'

// DSH-20: letters of staging, read from another machine.

let service: TestService
before(async () => {
  // No caller counts as being on this machine: the URL is public, and its proxies are not known.
  service = await openService({ config: { dashboardUrl: 'https://form.staging.example' } })
  callInProcess(service)
})
after(() => service.close())

const local = () => `http://localhost:${new URL(service.app.form.listeningOrigin).port}`
const get = (path: string, cookie?: string) => send(`${local()}${path}`, cookie ? { headers: { cookie } } : {})

describe('The mailbox, from another machine', () => {
  test('is for who is signed in and may use the test tools, with the letters of their businesses', async () => {
    const members = { owner: await member('owner'), support: await member('support'), analyst: await member('analyst') }
    const letters = {
      customer: { audience: 'customer' as const, subject: 'To a customer' },
      mine: { audience: 'person' as const, subject: 'To the owner', recipient: members.owner.email },
      foreign: { audience: 'customer' as const, subject: 'Elsewhere', businessId: await otherBusiness() },
    }
    const ids = Object.fromEntries(Object.keys(letters).map((name) => [name, newId()]))
    await transaction(service.app.services.db, (tx) =>
      insertLetters(
        tx,
        Object.entries(letters).map(([name, letter]) =>
          newLetter({ businessId: service.demo.business_id, ...letter, id: ids[name] ?? '' }),
        ),
      ),
    )
    const subjects = async (cookie?: string) => {
      const { status, body } = await get('/mailbox', cookie)
      return status === 200 ? Object.values(letters).map(({ subject }) => String(body).includes(subject)) : status
    }
    deepEqual(await subjects(members.owner.cookie), [true, true, false])
    // The link in a letter to a person signs in whoever has it.
    deepEqual(await subjects(members.support.cookie), [true, false, false])
    for (const cookie of [members.analyst.cookie, '__Host-rialto=forged.forged', undefined])
      equal(await subjects(cookie), 404)
    for (const path of ['', '/html']) {
      equal((await get(`/mailbox/${ids.mine}${path}`, members.owner.cookie)).status, 200)
      equal((await get(`/mailbox/${ids.mine}${path}`, members.support.cookie)).status, 404)
      equal((await get(`/mailbox/${ids.foreign}${path}`, members.owner.cookie)).status, 404)
    }
    const inDashboard = await members.support.call('GET /mailbox')
    ok(!JSON.stringify(inDashboard.body).includes('To the owner'))
    equal((await members.support.call(`GET /mailbox/${ids.mine}`)).status, 404)
  })
})

describe('The mailbox, on this machine (LTR-56)', () => {
  test('shows codes and links of people by the key of the start alone, and letters of payers without it', async () => {
    await using here = await openService()
    const { db, keyring } = here.app.services
    const { email } = await newPerson(here)
    const owner = await signIn(here, { isSteppedUp: true })
    equal((await visitor(here).call('POST /dashboard/auth/password/forgotten', { email })).status, 200)
    equal(
      (await owner.call('POST /team/invitations', { body: { email: 'new@shop.example', role: 'admin' } })).status,
      201,
    )
    await until('both letters are there', async () => {
      await composeDue(here.app.services, { businessId: here.demo.business_id })
      return (await lettersOf(here)).length === 2
    })
    const payers = newLetter({ businessId: here.demo.business_id, subject: 'To a customer' })
    await transaction(db, (tx) => insertLetters(tx, [payers]))
    const letters = await lettersOf(here)
    const secrets = letters.flatMap(({ body_text: text }) => text.match(/\/dashboard\/[\w-]+#[\w-]+/g) ?? [])
    equal(secrets.length, 2)
    const paths = [
      '/mailbox',
      ...letters.flatMap(({ id }) => ['', '/html', '/invoice.pdf'].map((end) => `/mailbox/${id}${end}`)),
    ]
    const shown = async (cookie: string, query = '') => {
      const found = await Promise.all(
        paths.map((path) => send(`${here.formUrl}${path}${query}`, { headers: { cookie }, redirect: 'manual' })),
      )
      const bodies = found.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body))).join('')
      const has = (text: string) => bodies.includes(text)
      return [secrets.every(has), [...secrets, email, 'new@shop.example'].some(has), has('To a customer')]
    }
    deepEqual(await shown(''), [false, false, true])
    deepEqual(await shown('mailbox-key=x', '?key=x'), [false, false, true])
    const link = mailboxLink(keyring, here.formUrl)
    const { status, headers } = await send(link, { redirect: 'manual' })
    deepEqual([status, headers.get('location')], [303, '/mailbox'])
    const [cookie = '', ...attributes] = headers.get('set-cookie')?.split('; ') ?? []
    deepEqual(attributes, ['Path=/mailbox', 'HttpOnly', 'SameSite=Strict'])
    deepEqual(await shown(cookie), [true, true, true])
    // It does not grant access from elsewhere.
    const forwarded = { cookie, 'x-forwarded-for': '203.0.113.7' }
    equal((await send(`${here.formUrl}/mailbox`, { headers: forwarded })).status, 404)
  })
})

async function member(role: 'owner' | 'support' | 'analyst') {
  const client = await signIn(service, { role })
  const call = (name: string) =>
    send(`${local()}/dashboard/api/b/${service.demo.business_id}${name.split(' ')[1]}`, {
      headers: { cookie: client.cookie, 'sec-fetch-site': 'same-origin' },
    })
  return { ...client, call }
}

async function otherBusiness(): Promise<string> {
  const { db } = service.app.services
  const [row] = await db.selectFrom('business').selectAll().execute()
  const id = newId()
  await db
    .insertInto('business')
    .values({ ...(row as NonNullable<typeof row>), id, name: 'Other' })
    .execute()
  return id
}
