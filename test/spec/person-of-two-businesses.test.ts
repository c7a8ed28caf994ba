import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Role } from '../../contract/permissions.ts'
import { insertMember } from '../../server/access/people/user-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { bodyOf, changeIds, changesOf } from '../support/dashboard-changes.ts'
import { callOf, dashboardName, type Furnished, furnish, isOfBusiness } from '../support/furnished.ts'
import { movableClock } from '../support/movable-clock.ts'
import { sampleCall } from '../support/sample-call.ts'
import { type SecondMerchant, secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { addTotp, enter, ME, newPerson, statusOf, stepUp, type TestPerson, type Visitor } from '../support/visitor.ts'

// DSH-93: data of a person does not belong to a business. A is the demo business, B a different one.

const clock = movableClock()
let service: TestService
let other: SecondMerchant
/** Owners who belong to only one of them. */
let ofA: DashboardClient
let ofB: DashboardClient
let person: TestPerson
let browser: Visitor
let inA: string
let inB: string
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  other = await secondMerchant(service)
  const { business_id: a } = service.demo
  const { business_id: b } = other.demo
  inA = `/dashboard/api/b/${a}`
  inB = `/dashboard/api/b/${b}`
})
after(() => service.close())

beforeEach(async () => {
  await service.app.services.db.deleteFrom('dashboard_limits').execute()
  ofA = await signIn(service)
  ofB = await signIn(service, { businessId: other.demo.business_id, isSteppedUp: true })
  person = await newPerson(service)
  await joinB('admin')
  browser = await enter(service, person)
})

async function joinB(role: Role) {
  const { db } = service.app.services
  const { business_id: businessId } = other.demo
  const member = { businessId, userId: person.userId, at: clock.now() }
  await transaction(db, (tx) => insertMember(tx, member))
  await setRole(role)
}

const setRole = (role: Role) =>
  service.app.services.db
    .updateTable('business_member')
    .set({ role })
    .where('user_id', '=', person.userId)
    .where('business_id', '=', other.demo.business_id)
    .execute()

const member = () => `/team/members/${person.userId}`
const stepUpAgain = ({ sessionId }: DashboardClient) => {
  const now = clock.now()
  const set = { stepped_up_at: now, last_seen_at: now }
  return service.app.services.db.updateTable('auth_session').set(set).where('id', '=', sessionId).execute()
}

/** Header with which a read does not count as a visit. */
const BACKGROUND = { 'x-background': '1' }

/** Returns the person as seen by their team in A, and by themselves. */
async function pictureInA() {
  const team = (await ofA.call('GET /team')).body.data
  const { data: audit } = (await ofA.call('GET /audit', { query: { actor: person.userId } })).body
  const account = (await browser.call('GET /dashboard/auth/account')).body
  const { session, user, businesses } = (await browser.call(ME)).body
  return {
    seen: { ...team.find(({ id }: { id: string }) => id === person.userId), has_other_business: null },
    audit: audit.map(({ id }: { id: string }) => id),
    account: { ...account, sessions: account.sessions.map(({ id }: { id: string }) => id) },
    session: { id: session.id, expires_at: session.expires_at },
    user,
    role: businesses.find(({ id }: { id: string }) => id === service.demo.business_id),
    home: (await browser.call(`GET ${inA}/home`, undefined, BACKGROUND)).status,
    limits: (await browser.call(`GET ${inA}/settings/limits`, undefined, BACKGROUND)).body,
  }
}

/** Returns what B's owner reads about its people and about actions. */
async function readByB() {
  const { data, invitations } = (await ofB.call('GET /team')).body
  const people = data.map((one: { id: string }) => (one.id === ofB.userId ? one.id : one))
  return { people, invitations, audit: (await ofB.call('GET /audit')).body.data }
}

describe('A person in two businesses (DSH-93)', () => {
  test('is in A as before after every call that B can make', async (t) => {
    await addTotp(service, browser)
    await browser.call(`GET ${inA}/home`)
    const before = await pictureInA()
    deepEqual([before.home, before.user.second_factor, before.account.sessions.length], [200, true, 1])
    const ids: Furnished = {
      ...(await furnish(service, ofB, other.demo.business_id)),
      'team/members': person.userId,
    }
    const calls = changesOf(await changeIds(ofB, ids, person.userId))
    const routes = service.app.routes.filter(
      (route) =>
        // Reading changes nothing (DSH-11), and leaving ends the rights of the one who calls.
        isOfBusiness(route) && route.method !== 'GET' && dashboardName(route) !== 'POST /team/leave',
    )
    const done: string[] = []
    // The picture takes as long as seven calls, and what one of them has changed stays changed: so ten are compared at
    // once.
    const compared: string[] = []
    const compare = async () => deepEqual(await pictureInA(), before, `one of ${compared.splice(0).join(', ')}`)
    const unchanged = async (name: string, { status }: { status: number }) => {
      ok(status < 500, `${name} ${status}`)
      if (status < 300) done.push(name)
      if (compared.push(name) === 10) await compare()
      await joinB('support').catch(() => setRole('support'))
    }
    // Meaningful calls first, then every route.
    for (const change of calls) {
      await stepUpAgain(ofB)
      await unchanged(change.name, await ofB.call(change.name, { body: await bodyOf(ofB, change) }))
    }
    const minutes = { session_minutes: 15, second_factor_required: true }
    const { version } = (await ofB.call('GET /settings/limits')).body
    await unchanged('limits', await ofB.call('PATCH /settings/limits', { body: { version, ...minutes } }))
    for (const route of routes) {
      await stepUpAgain(ofB)
      await unchanged(dashboardName(route), await ofB.call(callOf(route, ids), sampleCall(route, ids)))
    }
    await compare()
    t.diagnostic(`${calls.length} changes, ${routes.length} routes, ${done.length} of them done`)
    for (const name of ['PATCH', 'DELETE']) ok(done.includes(`${name} ${member()}`), name)
    ok(!done.some((name) => name.endsWith('/reset-factors')))
  })

  test('keeps their second factor, which neither admins nor owners of B may reset', async () => {
    await addTotp(service, browser)
    for (const role of ['support', 'owner'] as const) {
      await setRole(role)
      await stepUpAgain(ofB)
      const { status, body } = await ofB.call(`POST ${member()}/reset-factors`)
      deepEqual([status, body.error.code], [403, 'permission_denied'], role)
      match(body.error.message, /belongs to another business too.*operator/)
    }
    const { body } = await browser.call(ME)
    deepEqual([body.user.second_factor, body.businesses.length], [true, 2])
    const team: { id: string; has_other_business: boolean }[] = (await ofB.call('GET /team')).body.data
    const flagOf = (userId: string) => team.find(({ id }) => id === userId)?.has_other_business
    deepEqual([flagOf(person.userId), flagOf(ofB.userId)], [true, false])
  })

  test('keeps it when a reset falls due that B asked for while they belonged to B alone', async () => {
    const { db } = service.app.services
    await addTotp(service, browser)
    await setRole('owner')
    const { business_id: businessId } = service.demo
    const ofDemo = db.deleteFrom('business_member').where('user_id', '=', person.userId)
    await ofDemo.where('business_id', '=', businessId).execute()
    await stepUpAgain(ofB)
    const asked = await ofB.call(`POST ${member()}/reset-factors`)
    deepEqual([asked.status, typeof asked.body.due_at], [200, 'number'])
    await transaction(db, (tx) => insertMember(tx, { businessId, userId: person.userId, at: clock.now() }))
    clock.advance(86_401)
    const { email, password } = person
    const { body } = await browser.call('POST /dashboard/auth/sign-in', { email, password })
    equal(body.next, 'second_factor')
  })

  test('is in B as before after what they do in A and with their account', async () => {
    await browser.call(`GET ${inB}/home`)
    const before = await readByB()
    clock.advance(60)
    const again = await enter(service, person)
    const { version } = (await again.call(`GET ${inA}/settings`)).body
    equal(await statusOf(again, `PATCH ${inA}/settings`, { version, support_phone: '+1 514 555 0100' }), 200)
    equal((await stepUp(again, person)).status, 200)
    equal(await statusOf(again, 'POST /dashboard/auth/password', { password: 'another password' }), 200)
    equal(await statusOf(again, 'GET /dashboard/api/b/00000000-0000-4000-8000-000000000000/home'), 404)
    equal(await statusOf(again, 'POST /dashboard/auth/sessions/end-others'), 200)
    equal(await statusOf(again, 'POST /dashboard/auth/sign-out'), 200)
    await stepUpAgain(ofB)
    deepEqual(await readByB(), before)
    // A sees actions in A, and the person sees everything.
    const { data } = (await ofA.call('GET /audit', { query: { actor: person.userId } })).body
    deepEqual(
      data.map(({ action }: { action: string }) => action),
      ['settings.change'],
    )
    const back = await enter(service, { ...person, password: 'another password' })
    const own = (await back.call('GET /dashboard/auth/audit?limit=20')).body.data
    deepEqual(
      own.map(({ action, business }: { action: string; business: { id: string } | null }) => [
        action,
        business?.id ?? null,
      ]),
      [
        ['session.start', null],
        ['session.end', null],
        ['session.end_others', null],
        ['home.read', null],
        ['password.change', null],
        ['session.step_up', null],
        ['settings.change', service.demo.business_id],
        ['session.start', null],
        ['session.start', null],
      ],
    )
  })

  test('is signed in to A for as long as A says, and to B for as long as B says', async () => {
    const { db } = service.app.services
    const limits = { business_id: other.demo.business_id, session_minutes: 15 }
    await db
      .insertInto('dashboard_limits')
      .values(limits)
      .onConflict((one) => one.column('business_id').doUpdateSet(limits))
      .execute()
    const fresh = await enter(service, person)
    const left = (await fresh.call(ME)).body.session.expires_at * 1000 - clock.now().getTime()
    ok(left > 43_190_000, String(left))
    equal(await statusOf(fresh, `GET ${inB}/home`), 200)
    clock.advance(600)
    equal(await statusOf(fresh, `GET ${inA}/home`), 200)
    clock.advance(600)
    deepEqual([await statusOf(fresh, `GET ${inB}/home`), await statusOf(fresh, `GET ${inA}/home`)], [401, 200])
  })

  test('stays signed in to A when B removes them, and when they leave B', async () => {
    await stepUpAgain(ofB)
    equal((await ofB.call(`DELETE ${member()}`)).status, 200)
    deepEqual([await statusOf(browser, `GET ${inB}/home`), await statusOf(browser, `GET ${inA}/home`)], [404, 200])
    await joinB('support')
    await stepUp(browser, person)
    equal(await statusOf(browser, `POST ${inB}/team/leave`), 200)
    deepEqual([await statusOf(browser, `GET ${inB}/home`), await statusOf(browser, `GET ${inA}/home`)], [404, 200])
  })
})
