import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { signIn } from '../support/dashboard.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import {
  addPasskey,
  addPasskeyLater,
  addTotp,
  enter,
  ME,
  newPerson,
  STEP_UP,
  statusOf,
  stepUp,
  totpCode,
  type Visitor,
  visitor,
} from '../support/visitor.ts'

// DSH-12, DSH-35: step-up.

const clock = stillClock('2027-03-01T12:00:10Z')
let service: TestService
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

describe('Step-up (DSH-12, DEF-9)', () => {
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

  test('by a passkey is for a challenge of this session and person, once, within two minutes, and makes no session', async () => {
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
    // A password alone is weaker than the passkey.
    equal((await stepUp(browser, person)).status, 422)
    // Its challenges do not sign in either.
    const stolen = key.sign(await options())
    equal((await visitor(service).call('POST /dashboard/auth/passkey', { credential: stolen })).status, 401)
  })

  test('is needed for every change of a factor and of the password; nothing changes without it', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    await addTotp(service, browser)
    const { id } = (await addPasskeyLater(service, browser)).passkey
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

  test('of five minutes and a second ago, or in another session, opens no route that needs one; a fresh one does', async () => {
    const { app, demo } = service
    const routes = app.routes.filter(({ rights }) => rights?.stepUp === 'always')
    ok(routes.length > 15, String(routes.length))
    const owner = await signIn(service, { isSteppedUp: true })
    const elsewhere = await enter(service, await newPerson(service))
    const { db } = app.services
    // Another session of the same person, without a mark.
    const { id } = (await elsewhere.call(ME)).body.session
    await db.updateTable('auth_session').set({ user_id: owner.userId }).where('id', '=', id).execute()
    const code = async (who: Pick<Visitor, 'cookie' | 'csrf'>, { method, path }: (typeof routes)[number]) => {
      const below = path.replace('{business_id}', demo.business_id).replace(/\{\w+\}/g, newId())
      const headers = { 'idempotency-key': newId() }
      const { body } = await visitor(service, { cookie: who.cookie, csrf: who.csrf }).call(
        `${method} ${below}`,
        {},
        headers,
      )
      return body.error?.code
    }
    // An invalid body is refused first, in both cases alike.
    const asked = new Set<unknown>(['step_up_required', 'parameter_invalid'])
    for (const route of routes) {
      ok(asked.has(await code(elsewhere, route)), `${route.method} ${route.path}`)
      // This call needs only the step-up, and would succeed.
      if (route.path.endsWith('/team/leave')) continue
      notEqual(await code(owner, route), 'step_up_required', `${route.method} ${route.path}`)
    }
    clock.advance(301)
    for (const route of routes) ok(asked.has(await code(owner, route)), `${route.method} ${route.path}`)
    const refused = db.selectFrom('audit_entry').select('action').where('actor_id', '=', owner.userId)
    const actions = (await refused.where('outcome', '=', 'refused').execute()).map(({ action }) => action)
    ok(actions.includes('invitation.withdraw') && actions.includes('factors.reset'), String(actions))
  })
})
