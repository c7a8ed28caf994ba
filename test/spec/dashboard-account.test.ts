import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { signIn } from '../support/dashboard.ts'
import { lettersOf } from '../support/letters.ts'
import { movableClock } from '../support/movable-clock.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import {
  addPasskey,
  addTotp,
  enter,
  newPerson,
  type TestPerson,
  totpCode,
  type Visitor,
  visitor,
} from '../support/visitor.ts'

// DSH-9, DSH-10, DSH-12, DSH-35, DSH-36: one's own account.

const clock = movableClock()
let service: TestService
before(async () => {
  service = await openService({ clock })
})
after(() => service.close())

const ME = 'GET /dashboard/api/me'
const STEP_UP = 'POST /dashboard/api/step-up'

const statusOf = async (browser: Visitor, name = ME, body?: unknown) => (await browser.call(name, body)).status
const stepUp = (browser: Visitor, { password }: TestPerson, code?: string) =>
  browser.call(STEP_UP, { method: 'password', password, ...(code && { code }) })

/** The newest letter of a kind to somebody, and the code in its link. */
async function letterTo(email: string, kind: string) {
  await composeDue(service.app.services, { businessId: service.demo.business_id })
  const letter = (await lettersOf(service)).findLast((one) => one.recipient === email && one.kind === kind)
  return letter && { ...letter, code: letter.body_text.match(/\/dashboard\/[\w-]+#([\w-]+)/)?.[1] ?? '' }
}

const auditOf = (userId: string) =>
  service.app.services.db
    .selectFrom('audit_entry')
    .select(['action', 'outcome', 'object_id', 'before', 'after', 'ip'])
    .where('actor_id', '=', userId)
    .orderBy('number')
    .execute()

describe('A session', () => {
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
    const browser = await enter(service, await newPerson(service))
    const before = visitor(service, browser)
    const { headers } = await browser.call('POST /dashboard/auth/sign-out')
    equal(headers.get('clear-site-data'), '"cache", "storage"')
    match(headers.get('set-cookie') ?? '', /^rialto=; .*Max-Age=0/)
    equal(await statusOf(before), 401)
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

describe('Step-up (DSH-12)', () => {
  test('by password, where there is no second factor; for five minutes, in this session alone', async () => {
    const person = await newPerson(service)
    const [browser, other] = [await enter(service, person), await enter(service, person)]
    clock.advance(301)
    const begin = (who: Visitor) => statusOf(who, 'POST /dashboard/auth/totp')
    equal(await begin(browser), 403)
    const wrong = await stepUp(browser, { ...person, password: 'wrong' })
    deepEqual([wrong.status, wrong.body.error.param], [422, 'password'])
    equal((await stepUp(browser, person)).status, 200)
    notEqual((await browser.call(ME)).body.session.stepped_up_until, null)
    deepEqual([await begin(browser), await begin(other)], [200, 403])
    clock.advance(299)
    equal(await begin(browser), 200)
    clock.advance(2)
    const late = await browser.call('POST /dashboard/auth/totp')
    deepEqual([late.status, late.body.error.code, late.body.error.reason], [403, 'step_up_required', 'factors'])
  })

  test('by password needs the code too, in one text for both; recovery codes and used codes do not do', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const { secret, recoveryCodes } = await addTotp(service, browser)
    const code = await totpCode(service, secret)
    const tries = [
      await stepUp(browser, person),
      await stepUp(browser, { ...person, password: 'wrong' }, code),
      await stepUp(browser, person, '000000'),
      await stepUp(browser, person, recoveryCodes[0]),
    ]
    deepEqual(new Set(tries.map(({ status }) => status)), new Set([422]))
    equal(new Set(tries.map(({ body }) => body.error.message)).size, 1)
    equal((await stepUp(browser, person, code)).status, 200)
    equal((await stepUp(browser, person, code)).status, 422)
  })

  test('by a passkey answers a challenge of this session and person, once, within two minutes, and makes no session', async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)]
    const [browser, elsewhere] = [await enter(service, person), await enter(service, other)]
    const { key } = await addPasskey(service, browser)
    const { key: foreign } = await addPasskey(service, elsewhere)
    const options = async (who = browser) =>
      (await who.call('POST /dashboard/auth/step-up/options', { reason: 'keys' })).body.options
    const prove = (credential: unknown) => browser.call(STEP_UP, { method: 'passkey', credential })
    equal((await options()).allowCredentials.length, 1)
    const signed = key.sign(await options())
    const { status, headers } = await prove(signed)
    deepEqual([status, headers.get('set-cookie')], [200, null])
    const { options: atSignIn } = (await visitor(service).call('POST /dashboard/auth/passkey/options')).body
    const late = await options()
    clock.advance(121)
    for (const credential of [
      signed,
      key.sign(late),
      key.sign(await options(), { verifiesUser: false }),
      key.sign(await options(elsewhere)),
      foreign.sign(await options()),
      key.sign(atSignIn),
    ]) {
      equal((await prove(credential)).status, 422)
    }
    // A password alone is less than the passkey.
    equal((await stepUp(browser, person)).status, 422)
    // Its challenges are no use at sign-in either.
    const stolen = key.sign(await options())
    equal((await visitor(service).call('POST /dashboard/auth/passkey', { credential: stolen })).status, 401)
  })

  test('is needed for every change of a factor and of the password; nothing changes without it', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    await addTotp(service, browser)
    const { id } = (await addPasskeySteppedUp(browser, person)).passkey
    clock.advance(301)
    const before = (await browser.call('GET /dashboard/auth/account')).body
    for (const [name, body] of [
      ['POST /dashboard/auth/totp', {}],
      ['DELETE /dashboard/auth/totp', undefined],
      ['POST /dashboard/auth/recovery-codes', {}],
      ['POST /dashboard/auth/passkeys/options', {}],
      [`DELETE /dashboard/auth/passkeys/${id}`, undefined],
      ['POST /dashboard/auth/password', { password: 'a longer password' }],
    ] as const) {
      const { status, body: refusal } = await browser.call(name, body)
      deepEqual([status, refusal.error.code], [403, 'step_up_required'], name)
    }
    const { sessions: _now, ...now } = (await browser.call('GET /dashboard/auth/account')).body
    const { sessions: _then, ...then } = before
    deepEqual(now, then)
  })

  test('is limited to five tries of a person in 15 minutes (DSH-33)', async () => {
    await using limited = await openService({ rateLimits: true, beside: service, clock })
    const person = await newPerson(service)
    const browser = await enter(limited, person)
    const statuses: number[] = []
    for (let tries = 0; tries < 6; tries++) {
      statuses.push((await stepUp(browser, { ...person, password: 'wrong' })).status)
    }
    deepEqual(statuses, [422, 422, 422, 422, 422, 429])
  })
})

async function addPasskeySteppedUp(browser: Visitor, person: TestPerson) {
  const { db } = service.app.services
  const { id } = (await browser.call(ME)).body.session
  await db.updateTable('auth_session').set({ stepped_up_at: clock.now() }).where('id', '=', id).execute()
  const added = await addPasskey(service, browser)
  const [passkey] = (await browser.call('GET /dashboard/auth/account')).body.passkeys
  return { ...added, passkey, person }
}

describe('Changes of an account', () => {
  test('of a factor give the session a new id, keep its end, and are told by letter and audit row', async () => {
    const person = await newPerson(service)
    const [browser, other] = [await enter(service, person), await enter(service, person)]
    const old = visitor(service, browser)
    const end = (await browser.call(ME)).body.session.expires_at
    const { recoveryCodes } = await addTotp(service, browser)
    deepEqual([await statusOf(old), await statusOf(other)], [401, 401])
    const me = (await browser.call(ME)).body
    deepEqual([me.user.second_factor, me.user.totp, me.session.expires_at], [true, true, end])
    const { passkey, recoveryCodes: none } = await addPasskeySteppedUp(browser, person)
    equal(none, null)
    const renamed = await browser.call(`PATCH /dashboard/auth/passkeys/${passkey.id}`, { name: 'Phone' })
    equal(renamed.body.name, 'Phone')
    const renewed = (await browser.call('POST /dashboard/auth/recovery-codes')).body.recovery_codes
    deepEqual(
      renewed.filter((code: string) => recoveryCodes.includes(code)),
      [],
    )
    equal(await statusOf(browser, `DELETE /dashboard/auth/passkeys/${passkey.id}`), 200)
    equal(await statusOf(browser, 'DELETE /dashboard/auth/totp'), 200)
    equal((await browser.call('GET /dashboard/auth/account')).body.recovery_codes_left, null)
    const actions = (await auditOf(person.userId)).map(({ action }) => action)
    deepEqual(actions.slice(-6), [
      'totp.add',
      'passkey.add',
      'passkey.rename',
      'recovery_codes.renew',
      'passkey.remove',
      'totp.remove',
    ])
    match((await letterTo(person.email, 'account_changed'))?.body_text ?? '', /authenticator app was removed/)
    const { body } = await browser.call('GET /dashboard/auth/audit?limit=2')
    deepEqual(
      [body.has_more, body.data[0].action, body.data[0].business.id],
      [true, 'totp.remove', service.demo.business_id],
    )
    const older = await browser.call(`GET /dashboard/auth/audit?limit=2&before=${body.data[1].id}`)
    equal(older.body.data[0].action, 'recovery_codes.renew')
  })

  test('of the password end all other sessions', async () => {
    const person = await newPerson(service)
    const [browser, other] = [await enter(service, person), await enter(service, person)]
    await stepUp(browser, person)
    equal((await browser.call('POST /dashboard/auth/password', { password: 'short' })).status, 422)
    const old = visitor(service, browser)
    equal(await statusOf(browser, 'POST /dashboard/auth/password', { password: 'another password' }), 200)
    deepEqual([await statusOf(browser), await statusOf(old), await statusOf(other)], [200, 401, 401])
    await enter(service, { ...person, password: 'another password' })
  })

  test('of name and language are kept, and no secret is in the audit log', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const { secret } = await addTotp(service, browser)
    const { body } = await browser.call('PATCH /dashboard/auth/account', { name: 'Zoé', locale: 'fr-CA' })
    deepEqual([body.name, body.locale], ['Zoé', 'fr-CA'])
    equal((await browser.call('PATCH /dashboard/auth/account', { locale: 'de' })).status, 422)
    const rows = JSON.stringify(await auditOf(person.userId))
    for (const text of [secret, person.password, browser.cookie.split('=')[1] ?? '']) ok(!rows.includes(text))
    const stored = await service.app.services.db.selectFrom('totp').selectAll().execute()
    ok(!JSON.stringify(stored).includes(secret))
  })
})

describe('A forgotten password', () => {
  const FORGOTTEN = 'POST /dashboard/auth/password/forgotten'
  const RESET = 'POST /dashboard/auth/password/reset'

  const linkFor = async (email: string) => {
    await visitor(service).call(FORGOTTEN, { email })
    return until('the letter is there', async () => (await letterTo(email, 'password_reset'))?.code || null)
  }

  test('is replaced by a link that works once; sessions end; the second factor stays', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    await addTotp(service, browser)
    const code = await linkFor(person.email)
    const stranger = visitor(service)
    const given = { code, password: 'a fresh password' }
    equal((await stranger.call(RESET, { ...given, password: 'short' })).status, 422)
    deepEqual([await statusOf(stranger, RESET, given), await statusOf(browser)], [200, 401])
    const again = await stranger.call(RESET, given)
    deepEqual([again.status, again.body.error.param], [422, 'code'])
    const { email } = person
    const asked = await stranger.call('POST /dashboard/auth/sign-in', { email, password: 'a fresh password' })
    equal(asked.body.next, 'second_factor')
    match((await letterTo(email, 'account_changed'))?.body_text ?? '', /password was changed/)
  })

  test('has the same response for an unknown name; a link is too old after 30 minutes, or when there is a newer one', async () => {
    const person = await newPerson(service)
    const unknown = await visitor(service).call(FORGOTTEN, { email: 'nobody@shop.example' })
    const known = await visitor(service).call(FORGOTTEN, { email: person.email })
    deepEqual([known.status, known.body], [unknown.status, unknown.body])
    const first = await until(
      'the letter is there',
      async () => (await letterTo(person.email, 'password_reset'))?.code || null,
    )
    await visitor(service).call(FORGOTTEN, { email: person.email })
    const second = await until('there is another one', async () => {
      const code = (await letterTo(person.email, 'password_reset'))?.code
      return code !== first && code ? code : null
    })
    const password = 'a fresh password'
    equal(await statusOf(visitor(service), RESET, { code: first, password }), 422)
    clock.advance(1_801)
    equal(await statusOf(visitor(service), RESET, { code: second, password }), 422)
    // Nor is it good for anything else.
    equal(
      await statusOf(visitor(service), 'POST /dashboard/auth/set-up/sign-in', { code: await linkFor(person.email) }),
      422,
    )
  })
})
