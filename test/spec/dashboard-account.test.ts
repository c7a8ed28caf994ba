import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { lettersOf } from '../support/letters.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { stillClock } from '../support/still-clock.ts'
import { until } from '../support/until.ts'
import { addPasskeyLater, addTotp, enter, ME, newPerson, statusOf, stepUp, visitor } from '../support/visitor.ts'

// DSH-9, DSH-10, DSH-35: a person's own account.

const clock = stillClock('2027-03-01T12:00:10Z')
let service: TestService
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

/** Returns the newest letter of a kind to somebody, and the code in its link. */
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
    const { passkey, recoveryCodes: none } = await addPasskeyLater(service, browser)
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

  test('of the password end all other sessions (DEF-6)', async () => {
    const person = await newPerson(service)
    const [browser, other] = [await enter(service, person), await enter(service, person)]
    await stepUp(browser, person)
    equal((await browser.call('POST /dashboard/auth/password', { password: 'short' })).status, 422)
    const old = visitor(service, browser)
    equal(await statusOf(browser, 'POST /dashboard/auth/password', { password: 'another password' }), 200)
    deepEqual([await statusOf(browser), await statusOf(old), await statusOf(other)], [200, 401, 401])
    await enter(service, { ...person, password: 'another password' })
  })

  test('twice at once are one: the other call is signed out, as its session is another one now', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    await stepUp(browser, person)
    const [one, other] = [visitor(service, browser), visitor(service, browser)]
    const change = (from: typeof one) =>
      statusOf(from, 'POST /dashboard/auth/password', { password: 'another password' })
    deepEqual((await Promise.all([change(one), change(other)])).sort(), [200, 401])
    const changes = (await auditOf(person.userId)).filter(({ action }) => action === 'password.change')
    equal(changes.length, 1)
  })

  test('that are refused leave the session as it is: new recovery codes need a second factor', async () => {
    const person = await newPerson(service)
    const browser = await enter(service, person)
    const before = await auditOf(person.userId)
    equal(await statusOf(browser, 'POST /dashboard/auth/recovery-codes'), 409)
    equal(await statusOf(browser), 200)
    deepEqual(await auditOf(person.userId), before)
    equal(await letterTo(person.email, 'account_changed'), undefined)
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
    // It cannot be used for anything else either.
    equal(
      await statusOf(visitor(service), 'POST /dashboard/auth/set-up/sign-in', { code: await linkFor(person.email) }),
      422,
    )
  })
})
