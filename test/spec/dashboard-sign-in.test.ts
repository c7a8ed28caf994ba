import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { admitTry } from '../../server/access/people/sign-in-lock.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { softwarePasskey } from '../support/software-passkey.ts'
import { stillClock } from '../support/still-clock.ts'
import { addPasskey, addTotp, enter, newPerson, totpCode, visitor } from '../support/visitor.ts'

// DSH-9, DSH-35: signing in.

const clock = stillClock('2027-03-01T12:00:10Z')
let service: TestService
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

const SIGN_IN = 'POST /dashboard/auth/sign-in'
const SECOND = 'POST /dashboard/auth/second-factor'

describe('Sign-in by password (DEF-7)', () => {
  test('makes a session with a cookie that only the dashboard gets', async () => {
    const person = await newPerson(service)
    const browser = visitor(service)
    const { status, headers, body } = await browser.call(SIGN_IN, {
      ...person,
      userId: undefined,
      email: person.email.toUpperCase(),
    })
    deepEqual([status, body.next, body.ticket], [200, 'done', null])
    match(headers.get('set-cookie') ?? '', /^rialto=[\w-]+\.[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/)
    const me = await browser.call('GET /dashboard/api/me')
    deepEqual([me.status, me.body.user.email, me.body.user.second_factor], [200, person.email, false])
    deepEqual([me.body.businesses[0].id, me.body.businesses[0].role], [service.demo.business_id, 'owner'])
  })

  test('is refused in one text for an unknown name, a wrong password and a lock; a lock ends after half an hour', async () => {
    const person = await newPerson(service)
    const browser = visitor(service)
    const unknown = await browser.call(SIGN_IN, { email: 'nobody@shop.example', password: 'wrong' })
    const texts = new Set([unknown.body.error.message])
    // Ten tries lock a name. Most are only counted, because checking a password takes long.
    for (let tries = 0; tries < 8; tries++) await admitTry(service.app.services, `dashboard ${person.email}`)
    for (let tries = 8; tries < 10; tries++) {
      const { status, body } = await browser.call(SIGN_IN, { email: person.email, password: 'wrong' })
      deepEqual([status, body.error.code, body.error.param], [401, 'sign_in_failed', null])
      texts.add(body.error.message)
    }
    const locked = await browser.call(SIGN_IN, { email: person.email, password: person.password })
    equal(locked.status, 401)
    texts.add(locked.body.error.message)
    deepEqual([texts.size, browser.cookie], [1, ''])
    clock.advance(1_801)
    equal((await browser.call(SIGN_IN, { email: person.email, password: person.password })).status, 200)
  })

  test('does as much work for an unknown name and a lock as for a wrong password', async () => {
    const [person, locked] = [await newPerson(service), await newPerson(service)]
    const browser = visitor(service)
    // Processor time of all threads, which other processes on the machine do not change.
    const timed = async (email: string) => {
      const start = process.cpuUsage()
      await browser.call(SIGN_IN, { email, password: 'wrong' })
      const { user, system } = process.cpuUsage(start)
      return (user + system) / 1000
    }
    for (let tries = 0; tries < 11; tries++) await admitTry(service.app.services, `dashboard ${locked.email}`)
    const times = { wrong: [] as number[], unknown: [] as number[], locked: [] as number[] }
    for (let round = 0; round < 4; round++) {
      times.wrong.push(await timed(person.email))
      times.unknown.push(await timed('nobody-else@shop.example'))
      times.locked.push(await timed(locked.email))
    }
    const best = (list: number[]) => Math.min(...list)
    // One hash of the password takes some 40 ms; without it a response takes 3.
    for (const other of [times.unknown, times.locked]) ok(best(other) > best(times.wrong) / 2, JSON.stringify(times))
  })
})

describe('A second factor (DEF-7)', () => {
  test('is asked for after the password; a code works once, and only near its time', async () => {
    const person = await newPerson(service)
    const { secret } = await addTotp(service, await enter(service, person))
    const browser = visitor(service)
    const asked = await browser.call(SIGN_IN, { email: person.email, password: person.password })
    deepEqual([asked.body.next, asked.body.methods, browser.cookie], ['second_factor', ['totp', 'recovery_code'], ''])
    const { ticket } = asked.body
    equal(
      (await browser.call(SECOND, { ticket, method: 'totp', code: await totpCode(service, secret, 3) })).status,
      401,
    )
    // The code with which the app was added is already used.
    equal(
      (await browser.call(SECOND, { ticket, method: 'totp', code: await totpCode(service, secret, -1) })).status,
      401,
    )
    const code = await totpCode(service, secret)
    const entered = await browser.call(SECOND, { ticket, method: 'totp', code: `${code.slice(0, 3)} ${code.slice(3)}` })
    deepEqual([entered.status, entered.body.next], [200, 'done'])
    equal((await browser.call('GET /dashboard/api/me')).status, 200)
    const again = visitor(service)
    const next = await again.call(SIGN_IN, { email: person.email, password: person.password })
    equal((await again.call(SECOND, { ticket: next.body.ticket, method: 'totp', code })).status, 401)
    equal((await again.call(SECOND, { ticket, method: 'totp', code: await totpCode(service, secret, 1) })).status, 401)
  })

  test('is locked after five wrong codes for a quarter of an hour, for right codes and recovery codes too', async () => {
    const person = await newPerson(service)
    const { secret, recoveryCodes } = await addTotp(service, await enter(service, person))
    const browser = visitor(service)
    const ask = async () =>
      (await browser.call(SIGN_IN, { email: person.email, password: person.password })).body.ticket
    const ticket = await ask()
    for (let tries = 0; tries < 5; tries++) {
      equal((await browser.call(SECOND, { ticket, method: 'totp', code: '000000' })).status, 401)
    }
    const right = { ticket, method: 'totp', code: await totpCode(service, secret) }
    const locked = await browser.call(SECOND, right)
    deepEqual([locked.status, locked.body.error.code], [401, 'sign_in_failed'])
    equal((await browser.call(SECOND, { ticket, method: 'recovery_code', code: recoveryCodes[0] })).status, 401)
    clock.advance(901)
    const code = await totpCode(service, secret)
    equal((await browser.call(SECOND, { ticket: await ask(), method: 'totp', code })).status, 200)
  })

  test('guesses at the same time are counted before they are checked', async () => {
    const person = await newPerson(service)
    const { secret } = await addTotp(service, await enter(service, person))
    const browser = visitor(service)
    const { ticket } = (await browser.call(SIGN_IN, { email: person.email, password: person.password })).body
    const guess = (code: string) => browser.call(SECOND, { ticket, method: 'totp', code })
    await Promise.all(Array.from({ length: 8 }, (_none, index) => guess(`00000${index}`)))
    equal((await guess(await totpCode(service, secret))).status, 401)
  })

  test('may be one of ten recovery codes, each once, however it is typed', async () => {
    const person = await newPerson(service)
    const { recoveryCodes } = await addTotp(service, await enter(service, person))
    deepEqual([recoveryCodes.length, new Set(recoveryCodes).size], [10, 10])
    const [code = ''] = recoveryCodes
    match(code, /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    const browser = visitor(service)
    const ask = async () =>
      (await browser.call(SIGN_IN, { email: person.email, password: person.password })).body.ticket
    const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('1', 'l').replaceAll('0', 'o')
    const given = { ticket: await ask(), method: 'recovery_code', code: typed }
    equal((await browser.call(SECOND, given)).status, 200)
    equal((await browser.call('GET /dashboard/auth/account')).body.recovery_codes_left, 9)
    equal((await browser.call(SECOND, { ...given, ticket: await ask() })).status, 401)
  })

  test('is asked for within five minutes, and its ticket works once', async () => {
    const person = await newPerson(service)
    const { secret } = await addTotp(service, await enter(service, person))
    const browser = visitor(service)
    const { ticket } = (await browser.call(SIGN_IN, { email: person.email, password: person.password })).body
    clock.advance(301)
    const code = await totpCode(service, secret)
    equal((await browser.call(SECOND, { ticket, method: 'totp', code })).status, 401)
  })
})

describe('A passkey (DEF-7)', () => {
  const OPTIONS = 'POST /dashboard/auth/passkey/options'
  const PASSKEY = 'POST /dashboard/auth/passkey'

  test('signs in by itself, and is two factors', async () => {
    const person = await newPerson(service)
    const { key, recoveryCodes } = await addPasskey(service, await enter(service, person))
    equal(recoveryCodes?.length, 10)
    const browser = visitor(service)
    const { options } = (await browser.call(OPTIONS)).body
    deepEqual([options.userVerification, options.rpId, options.allowCredentials], ['required', 'localhost', undefined])
    equal((await browser.call(PASSKEY, { credential: key.sign(options) })).status, 200)
    const { body } = await browser.call('GET /dashboard/auth/account')
    const here = body.sessions.find((one: { is_current: boolean }) => one.is_current)
    deepEqual([here.proof, body.passkeys[0].name], ['passkey', 'Laptop'])
    notEqual(body.passkeys[0].last_used_at, null)
    const asked = await visitor(service).call(SIGN_IN, { email: person.email, password: person.password })
    deepEqual(asked.body.methods, ['passkey', 'recovery_code'])
  })

  test('is refused without user verification, replayed, with a lower counter, of another page or person', async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)]
    const { key } = await addPasskey(service, await enter(service, person))
    const browser = visitor(service)
    const fresh = async () => (await browser.call(OPTIONS)).body.options
    const refused = async (credential: unknown) => {
      const { status, body } = await browser.call(PASSKEY, { credential })
      deepEqual([status, body.error?.code, browser.cookie], [401, 'sign_in_failed', ''])
    }
    await refused(key.sign(await fresh(), { verifiesUser: false }))
    await refused(key.sign(await fresh(), { origin: 'https://evil.example' }))
    await refused(key.sign(await fresh(), { counter: 0 }))
    await refused(key.sign(await fresh(), { userHandle: Buffer.from(other.userId).toString('base64url') }))
    await refused(key.sign({ challenge: Buffer.alloc(32).toString('base64url') }))
    await refused(softwarePasskey(service.formUrl).sign(await fresh()))
    await refused({ id: 'x', rawId: 'x', type: 'public-key', response: {} })
    const late = await fresh()
    clock.advance(301)
    await refused(key.sign(late))
    const challenge = await fresh()
    const credential = key.sign(challenge)
    equal((await browser.call(PASSKEY, { credential })).status, 200)
    browser.cookie = ''
    await refused(credential)
    await refused(key.sign(challenge))
  })

  test('is not registered without user verification, twice, or for another session', async () => {
    const [person, other] = [await newPerson(service), await newPerson(service)]
    const [browser, elsewhere] = [await enter(service, person), await enter(service, other)]
    const key = softwarePasskey(service.formUrl)
    const begin = async () => (await browser.call('POST /dashboard/auth/passkeys/options')).body.options
    const options = await begin()
    deepEqual(options.authenticatorSelection.userVerification, 'required')
    const register = (who: typeof browser, credential: unknown) =>
      who.call('POST /dashboard/auth/passkeys', { name: 'Key', credential })
    const weak = await register(browser, key.register(options, { verifiesUser: false }))
    deepEqual([weak.status, weak.body.error.param], [422, 'credential'])
    equal((await register(elsewhere, key.register(await begin()))).status, 422)
    equal((await register(browser, key.register(await begin()))).status, 200)
    const again = (await elsewhere.call('POST /dashboard/auth/passkeys/options')).body.options
    equal((await register(elsewhere, key.register(again))).status, 422)
  })
})

describe('What is not offered (DEF-8)', () => {
  test('paths of the library for sign-in, sign-up and trusted devices', async () => {
    const browser = visitor(service)
    for (const path of [
      'sign-up/email',
      'sign-in/email',
      'update-user',
      'change-email',
      'delete-user',
      'get-session',
      'two-factor/verify-totp',
      'list-sessions',
      'ok',
    ]) {
      const { status, headers } = await browser.call(`POST /dashboard/auth/${path}`, { email: 'a@b.example' })
      deepEqual([status, headers.get('set-cookie')], [404, null], path)
    }
    const person = await newPerson(service)
    const { secret } = await addTotp(service, await enter(service, person))
    const { ticket } = (await browser.call(SIGN_IN, { email: person.email, password: person.password })).body
    const code = await totpCode(service, secret)
    const trusting = await browser.call(SECOND, { ticket, method: 'totp', code, trustDevice: true })
    deepEqual([trusting.status, browser.cookie], [422, ''])
  })
})
