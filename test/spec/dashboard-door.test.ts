import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createSetUpCode, createSignInCode } from '../../server/access/sign-in/set-up.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import { addPasskey, addTotp, enter, newPerson, visitor } from '../support/visitor.ts'

// DSH-9, DSH-13, DSH-36: who comes in, and how.

const clock = stillClock('2027-03-01T12:00:10Z')
let service: TestService
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

const ME = 'GET /dashboard/api/me'
const SIGN_IN = 'POST /dashboard/auth/sign-in'

async function letterTo(email: string, kind: string) {
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  const letter = (await lettersOf(service)).findLast((one) => one.recipient === email && one.kind === kind)
  return { text: letter?.body_text ?? '', code: letter?.body_text.match(/\/dashboard\/[\w-]+#([\w-]+)/)?.[1] ?? '' }
}

const production = (more: { merchantDashboardUrl?: string } = {}) =>
  openService({ clock, beside: service, config: { environment: 'production', ...more } })

describe('Production', () => {
  test('lets who has no second factor add one, and nothing else (DSH-9)', async () => {
    await using live = await production()
    const person = await newPerson(service)
    const browser = await enter(live, person)
    equal((await browser.call(ME)).body.must_add_second_factor, true)
    for (const [name, body] of [
      [`GET /dashboard/api/b/${service.demo.business_id}/products`],
      ['PATCH /dashboard/auth/account', { name: 'Mallory' }],
      ['POST /dashboard/auth/password', { password: 'another password' }],
      ['POST /dashboard/auth/recovery-codes', {}],
      ['POST /dashboard/auth/sessions/end-others', {}],
      ['GET /dashboard/auth/audit'],
      ['DELETE /dashboard/auth/totp'],
      [
        'POST /dashboard/auth/set-up/business',
        { name: 'X', country: 'CA', time_zone: 'America/Toronto', currency: 'CAD' },
      ],
    ] as const) {
      const { status, body: refusal } = await browser.call(name, body)
      deepEqual([status, refusal.error.code], [403, 'second_factor_required'], name)
    }
    await addTotp(live, browser)
    const products = await browser.call(`GET /dashboard/api/b/${service.demo.business_id}/products`)
    deepEqual([products.status, (await browser.call(ME)).body.must_add_second_factor], [200, false])
    // The last factor stays.
    await live.app.services.db.updateTable('auth_session').set({ stepped_up_at: clock.now() }).execute()
    const { status, body } = await browser.call('DELETE /dashboard/auth/totp')
    deepEqual([status, body.error.code], [409, 'conflict'])
  })
})

describe('A link that a start prints', () => {
  const LOOK = 'POST /dashboard/auth/set-up/look'

  test('makes the first owner, once, and their business (DSH-13)', async () => {
    await using fresh = await openService({ clock })
    const { services } = fresh.app
    const { db } = services
    // A service without a demo business.
    equal(await createSetUpCode(services), null)
    for (const table of ['business_member', 'oauth_family', 'auth_user'] as const) await wipe(fresh, table)
    const code = (await createSetUpCode(services)) ?? ''
    const browser = visitor(fresh)
    deepEqual((await browser.call(LOOK, { code })).body, { object: 'set_up', purpose: 'first_owner', email: null })
    const owner = { code, email: 'Zoe@Shop.example', name: 'Zoé', password: 'a long password' }
    equal((await browser.call('POST /dashboard/auth/set-up', { ...owner, password: 'short' })).status, 422)
    // Other processes printed other links.
    const codes = [code, ...(await Promise.all(Array.from({ length: 7 }, () => createSetUpCode(services))))]
    const all = await Promise.all(
      codes.map(async (one, index) => {
        const rival = visitor(fresh)
        const given = { ...owner, code: one, email: `zoe-${index}@shop.example` }
        return { rival, status: (await rival.call('POST /dashboard/auth/set-up', given)).status }
      }),
    )
    deepEqual(all.map(({ status }) => status).sort(), [200, 422, 422, 422, 422, 422, 422, 422])
    const winner = all.find(({ status }) => status === 200)?.rival ?? browser
    equal((await visitor(fresh).call(LOOK, { code })).status, 422)
    equal(await createSetUpCode(services), null)
    const me = (await winner.call(ME)).body
    const { email } = me.user
    deepEqual([me.may_create_business, me.businesses], [true, []])
    match(email, /^zoe-\d@shop\.example$/)
    await addTotp(fresh, winner)
    const shop = { name: 'Café Zoé', country: 'CA', province: 'QC', time_zone: 'America/Toronto', currency: 'CAD' }
    equal(
      (await winner.call('POST /dashboard/auth/set-up/business', { ...shop, time_zone: 'Mars/Olympus' })).status,
      422,
    )
    const made = await winner.call('POST /dashboard/auth/set-up/business', shop)
    equal(made.status, 201)
    const [business] = (await winner.call(ME)).body.businesses
    deepEqual([business.id, business.role, business.currency], [made.body.id, 'owner', 'CAD'])
    equal((await winner.call('POST /dashboard/auth/set-up/business', shop)).status, 404)
    const [entry] = await db.selectFrom('audit_entry').selectAll().where('business_id', '=', made.body.id).execute()
    deepEqual([entry?.action, entry?.actor_name], ['business.create', email])
  })

  test('signs in for ten minutes, once, in place of the password alone', async () => {
    const { services } = service.app
    const person = await newPerson(service)
    equal(await createSignInCode(services, 'nobody@shop.example'), null)
    const code = (await createSignInCode(services, person.email)) ?? ''
    const browser = visitor(service)
    deepEqual((await browser.call(LOOK, { code })).body.email, person.email)
    equal((await browser.call('POST /dashboard/auth/set-up/sign-in', { code })).body.next, 'done')
    equal((await browser.call(ME)).status, 200)
    equal((await visitor(service).call('POST /dashboard/auth/set-up/sign-in', { code })).status, 422)
    const late = (await createSignInCode(services, person.email)) ?? ''
    clock.advance(601)
    equal((await visitor(service).call('POST /dashboard/auth/set-up/sign-in', { code: late })).status, 422)
    await addTotp(service, await enter(service, person))
    const another = (await createSignInCode(services, person.email)) ?? ''
    equal(
      (await visitor(service).call('POST /dashboard/auth/set-up/sign-in', { code: another })).body.next,
      'second_factor',
    )
  })
})

async function wipe({ app }: TestService, table: 'business_member' | 'oauth_family' | 'auth_user'): Promise<void> {
  const { db } = app.services
  if (table === 'oauth_family') {
    await db.deleteFrom('access_token').execute()
    await db.deleteFrom('refresh_token').execute()
  }
  await db.deleteFrom(table).execute()
}

describe('An invitation', () => {
  const invite = async (owner: DashboardClient, email: string) => {
    const { status } = await owner.call('POST /team/invitations', { body: { email, role: 'support' } })
    equal(status, 201)
    return (await letterTo(email, 'invitation')).code
  }

  test('comes by letter; who is new chooses a password and is signed in', async () => {
    const owner = await signIn(service, { isSteppedUp: true })
    const email = `new-${newId().slice(-8)}@shop.example`
    const code = await invite(owner, email)
    const browser = visitor(service)
    const { body } = await browser.call('POST /dashboard/auth/invitations/look', { code })
    deepEqual([body.business, body.role, body.email, body.is_known], ['Demo Shop', 'support', email, false])
    const accepted = await browser.call('POST /dashboard/auth/invitations/accept', {
      code,
      name: 'New',
      password: 'a long password',
    })
    deepEqual([accepted.status, accepted.body.role], [200, 'support'])
    deepEqual(
      (await browser.call(ME)).body.businesses.map(({ role }: { role: string }) => role),
      ['support'],
    )
    equal((await visitor(service).call('POST /dashboard/auth/invitations/look', { code })).status, 422)
  })

  test('of who is known needs them to be signed in; it may be declined', async () => {
    const owner = await signIn(service, { isSteppedUp: true })
    const [person, other] = [await newPerson(service), await newPerson(service)]
    await service.app.services.db.deleteFrom('business_member').where('user_id', '=', person.userId).execute()
    const code = await invite(owner, person.email)
    const accept = 'POST /dashboard/auth/invitations/accept'
    const stranger = await visitor(service).call(accept, { code, name: 'X', password: 'a long password' })
    deepEqual([stranger.status, stranger.body.error.code], [401, 'signed_out'])
    equal((await (await enter(service, other)).call(accept, { code })).status, 403)
    const browser = await enter(service, person)
    const accepted = await browser.call(accept, { code })
    deepEqual([accepted.status, accepted.body.csrf_token], [200, null])
    const declined = await invite(owner, `declines-${newId().slice(-8)}@shop.example`)
    equal((await visitor(service).call('POST /dashboard/auth/invitations/decline', { code: declined })).status, 200)
    equal((await visitor(service).call('POST /dashboard/auth/invitations/look', { code: declined })).status, 422)
  })
})

describe('Somebody who lost all factors (DSH-36)', () => {
  test('is helped at once, with a letter, and signed out; not by themselves', async () => {
    const admin = await signIn(service, { role: 'admin', isSteppedUp: true })
    const person = await newPerson(service)
    await service.app.services.db
      .updateTable('business_member')
      .set({ role: 'support' })
      .where('user_id', '=', person.userId)
      .execute()
    const browser = await enter(service, person)
    await addTotp(service, browser)
    const reset = await admin.call(`POST /team/members/${person.userId}/reset-factors`)
    deepEqual([reset.status, reset.body.due_at], [200, null])
    equal((await browser.call(ME)).status, 401)
    match((await letterTo(person.email, 'factors_reset')).text, /removed the passkeys/)
    equal((await (await enter(service, person)).call(ME)).body.user.second_factor, false)
    equal((await admin.call(`POST /team/members/${admin.userId}/reset-factors`)).status, 403)
    const timid = await signIn(service, { role: 'admin' })
    equal((await timid.call(`POST /team/members/${person.userId}/reset-factors`)).status, 403)
  })

  test('waits for 24 hours as an owner; a sign-in with a factor withdraws it; admins do not touch owners', async () => {
    const owner = await signIn(service, { isSteppedUp: true })
    const admin = await signIn(service, { role: 'admin', isSteppedUp: true })
    const person = await newPerson(service)
    const { key } = await addPasskey(service, await enter(service, person))
    const path = `POST /team/members/${person.userId}/reset-factors`
    equal((await admin.call(path)).status, 403)
    const now = Math.floor(clock.now().getTime() / 1000)
    const dueIn = (await owner.call(path)).body.due_at - now
    ok(dueIn >= 86_400 && dueIn < 86_402, String(dueIn))
    const { email, password } = person
    const nextOf = async () => (await visitor(service).call(SIGN_IN, { email, password })).body.next
    equal(await nextOf(), 'second_factor')
    const { options } = (await visitor(service).call('POST /dashboard/auth/passkey/options')).body
    equal((await visitor(service).call('POST /dashboard/auth/passkey', { credential: key.sign(options) })).status, 200)
    clock.advance(86_401)
    equal(await nextOf(), 'second_factor')
    const again = await signIn(service, { isSteppedUp: true })
    equal((await again.call(path)).status, 200)
    clock.advance(86_399)
    equal(await nextOf(), 'second_factor')
    clock.advance(2)
    equal(await nextOf(), 'done')
  })
})
