import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { signIn } from '../support/dashboard.ts'
import { isOfBusiness } from '../support/furnished.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import { enter, ME, newPerson, statusOf, visitor } from '../support/visitor.ts'

// DSH-9, DSH-10, DSH-11: how sessions begin and end, and which calls need one.

const clock = stillClock('2027-03-01T12:00:10Z')
let service: TestService
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

describe('A session (DEF-6)', () => {
  test('ends after 15 idle minutes; calls that a page makes by itself do not count (DSH-10)', async () => {
    const browser = await enter(service, await newPerson(service))
    for (const headers of [{}, { 'x-background': '1' }] as Record<string, string>[]) {
      clock.advance(840)
      equal((await browser.call(ME, undefined, headers)).status, 200)
    }
    clock.advance(70)
    const { status, body } = await browser.call(ME)
    deepEqual([status, body.error.code], [401, 'signed_out'])
  })

  test('ends after 12 hours, however busy, or earlier if a business says so (DSH-10)', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const busy = async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed += 14) {
        equal(await statusOf(browser), 200, `after ${passed} minutes`)
        clock.advance(14 * 60)
      }
    }
    await busy(714)
    clock.advance(6 * 60)
    equal(await statusOf(browser), 401)
    const { db } = service.app.services
    const limits = { business_id: service.demo.business_id, session_minutes: 30 }
    await db.insertInto('dashboard_limits').values(limits).execute()
    const shorter = await enter(service, person)
    const left = (await shorter.call(ME)).body.session.expires_at - Math.floor(clock.now().getTime() / 1000)
    ok(left > 1_790 && left <= 1_800, String(left))
    await db.deleteFrom('dashboard_limits').execute()
  })

  test('is another one after each sign-in, and the old one of that browser ends', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const fixed = visitor(service, { cookie: browser.cookie, csrf: browser.csrf })
    const { email, password } = person
    equal(await statusOf(browser, 'POST /dashboard/auth/sign-in', { email, password }), 200)
    notEqual(browser.cookie, fixed.cookie)
    deepEqual([await statusOf(browser), await statusOf(fixed)], [200, 401])
  })

  test('ends with sign-out, and the browser forgets what it kept', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const before = visitor(service, browser)
    const { id } = (await browser.call(ME)).body.session
    const { headers } = await browser.call('POST /dashboard/auth/sign-out')
    equal(headers.get('clear-site-data'), '"cache", "storage"')
    match(headers.get('set-cookie') ?? '', /^rialto=; .*Max-Age=0/)
    equal(await statusOf(before), 401)
    const { action, object_id } = await service.app.services.db
      .selectFrom('audit_entry')
      .select(['action', 'object_id'])
      .where('actor_id', '=', person.userId)
      .orderBy('number', 'desc')
      .executeTakeFirstOrThrow()
    deepEqual([action, object_id], ['session.end', id])
  })

  test('cannot be made from what the database has, nor with another keyring (DSH-10)', async () => {
    const browser = await enter(service, await newPerson(service))
    const { id } = (await browser.call(ME)).body.session
    const row = await service.app.services.db
      .selectFrom('auth_session')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const [, signature = ''] = browser.cookie.split('.')
    for (const cookie of [row.token, `${row.token}.`, `${row.token}.${row.token}`, `${row.id}.${signature}`, row.id]) {
      equal(await statusOf(visitor(service, { cookie: `rialto=${cookie}` })), 401, cookie)
    }
    equal(await statusOf(visitor(service, { cookie: `rialto=${row.token}.${signature}` })), 200)
  })

  test('is listed, and ended one by one or all but this one, never that of another person', async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)]
    const [here, there, elsewhere] = [
      await enter(service, person),
      await enter(service, person),
      await enter(service, other),
    ]
    const { sessions } = (await here.call('GET /dashboard/auth/account')).body
    deepEqual([sessions.length, sessions.filter((one: { is_current: boolean }) => one.is_current).length], [2, 1])
    equal(sessions[0].ip, '127.0.0.1')
    const foreign = (await elsewhere.call(ME)).body.session.id
    equal(await statusOf(here, `DELETE /dashboard/auth/sessions/${foreign}`), 404)
    const { id } = (await there.call(ME)).body.session
    equal(await statusOf(here, `DELETE /dashboard/auth/sessions/${id}`), 200)
    equal(await statusOf(there), 401)
    const again = await enter(service, person)
    equal(await statusOf(here, 'POST /dashboard/auth/sessions/end-others'), 200)
    deepEqual([await statusOf(again), await statusOf(here), await statusOf(elsewhere)], [401, 200, 200])
  })

  test('ends with the role in a business for that business: at the next call', async () => {
    const member = await signIn(service, { role: 'support' })
    equal((await member.call('GET /products')).status, 200)
    const { db } = service.app.services
    await db.updateTable('business_member').set({ role: 'analyst' }).where('user_id', '=', member.userId).execute()
    equal((await member.call('POST /products', { body: { name: 'Tea' } })).status, 403)
    await db.deleteFrom('business_member').where('user_id', '=', member.userId).execute()
    equal((await member.call('GET /products')).status, 404)
  })
})

/** Calls for everyone who wants to sign in, or has a link. */
const OPEN = [
  'POST /dashboard/auth/invitations/accept',
  'POST /dashboard/auth/invitations/decline',
  'POST /dashboard/auth/invitations/look',
  'POST /dashboard/auth/passkey',
  'POST /dashboard/auth/passkey/options',
  'POST /dashboard/auth/password/forgotten',
  'POST /dashboard/auth/password/reset',
  'POST /dashboard/auth/second-factor',
  'POST /dashboard/auth/set-up',
  'POST /dashboard/auth/set-up/look',
  'POST /dashboard/auth/set-up/sign-in',
  'POST /dashboard/auth/sign-in',
]
/** Calls for people who must first add a second factor, in production. */
const WITHOUT_FACTOR = [
  'GET /dashboard/api/me',
  'GET /dashboard/auth/account',
  'POST /dashboard/api/step-up',
  'POST /dashboard/auth/passkeys',
  'POST /dashboard/auth/passkeys/options',
  'POST /dashboard/auth/step-up/options',
  'POST /dashboard/auth/totp',
  'POST /dashboard/auth/totp/verify',
  'POST /dashboard/auth/sign-out',
]

describe('A path about a person (DEF-1)', () => {
  const paths = () =>
    service.app.routes
      .filter((route) => /^\/dashboard\/(api|auth)\//.test(route.path) && !isOfBusiness(route))
      .map(({ method, path }) => `${method} ${path.replace('{id}', newId())}`)
  /** Returns the paths for which `open` returns true, in alphabetical order. */
  async function opened(open: (name: string) => Promise<boolean>): Promise<string[]> {
    const found: string[] = []
    for (const name of paths().sort()) if (await open(name)) found.push(name)
    return found
  }

  test('is for who is signed in, but for those of signing in', async () => {
    const found = await opened(async (name) => {
      const { status, body } = await visitor(service).call(name)
      ok(status < 500, name)
      return body.error?.code !== 'signed_out'
    })
    deepEqual(found, OPEN)
  })

  test('is in production for who has a second factor, but for those that add one (DSH-9)', async () => {
    await using live = await openService({ clock, beside: service, config: { environment: 'production' } })
    const browser = await enter(live, await newPerson(service))
    const found = await opened(async (name) => {
      // It would be the last call.
      if (OPEN.includes(name) || name.endsWith('/sign-out')) return false
      const { status, body } = await browser.call(name)
      ok(status < 500, name)
      return body.error?.code !== 'second_factor_required'
    })
    deepEqual([...found, 'POST /dashboard/auth/sign-out'], WITHOUT_FACTOR)
    equal((await browser.call('POST /dashboard/auth/sign-out')).status, 200)
  })

  test('takes no call of another site, and no change without the token (DSH-11)', async () => {
    const browser = await enter(service, await newPerson(service))
    for (const name of paths()) {
      const foreign = await browser.call(name, undefined, { 'sec-fetch-site': 'cross-site' })
      deepEqual([foreign.status, foreign.body.error.code], [403, 'permission_denied'], name)
      if (name.startsWith('GET') || OPEN.includes(name)) continue
      const unproved = await browser.call(name, undefined, { 'x-csrf-token': '' })
      deepEqual([unproved.status, unproved.body.error.code], [403, 'permission_denied'], name)
    }
  })
})
