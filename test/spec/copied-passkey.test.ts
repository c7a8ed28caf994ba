import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { lettersOf } from '../support/letters.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { softwarePasskey } from '../support/software-passkey.ts'
import { addPasskey, enter, newPerson, type TestPerson, visitor } from '../support/visitor.ts'

const OPTIONS = 'POST /dashboard/auth/passkey/options'
const PASSKEY = 'POST /dashboard/auth/passkey'

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
})
after(() => service.close())

test('DSH-95: a passkey that was copied is refused, and the person and the audit log are told, at sign-in and step-up', async () => {
  const person = await newPerson(service)
  const browser = await enter(service, person)
  const { key } = await addPasskey(service, browser)
  const { db } = service.app.services
  const told = async () => {
    await composeDue(service.app.services, { businessId: service.demo.business_id })
    const letters = (await lettersOf(service)).filter(({ recipient }) => recipient === person.email)
    const rows = await db
      .selectFrom('audit_entry')
      .selectAll()
      .where('actor_id', '=', person.userId)
      .where('action', '=', 'passkey.refuse_copy')
      .execute()
    return {
      letters: letters.filter(({ subject }) => subject === 'A passkey of your account may have been copied'),
      rows: rows.map(({ outcome, after, object_type, ip }) => [outcome, after, object_type, ip]),
    }
  }
  const stranger = visitor(service)
  const signIn = async (how: object) => {
    const credential = key.sign((await stranger.call(OPTIONS)).body.options, how)
    return (await stranger.call(PASSKEY, { credential })).status
  }
  equal(await signIn({ counter: 7 }), 200)
  const row = ['refused', { name: 'Laptop' }, 'passkey', '127.0.0.1']
  let count = 0
  for (const counter of [7, 6, 1, 0]) {
    equal(await signIn({ counter }), 401, String(counter))
    const { letters, rows } = await told()
    count += 1
    deepEqual([letters.length, rows], [count, Array(count).fill(row)])
    match(letters[0]?.body_text ?? '', /“Laptop”[\s\S]*refused[\s\S]*Remove this passkey/)
  }
  const { options } = (await browser.call('POST /dashboard/auth/step-up/options', { reason: 'team' })).body
  const credential = key.sign(options, { counter: 7 })
  equal((await browser.call('POST /dashboard/api/step-up', { method: 'passkey', credential })).status, 422)
  deepEqual((await told()).rows.length, 5)
  // A key without a counter always shows 0, and a wrong signature does not prove a copy.
  equal(await signIn({ counter: 8 }), 200)
  equal(await signIn({ counter: 3, verifiesUser: false }), 401)
  equal(await signIn({ counter: 3, origin: 'https://evil.example' }), 401)
  deepEqual((await told()).rows.length, 5)
  const still = await newPerson(service)
  const { key: other } = await addPasskeyAt(still)
  for (let times = 0; times < 3; times++) {
    const zero = other.sign((await visitor(service).call(OPTIONS)).body.options, { counter: 0 })
    equal((await visitor(service).call(PASSKEY, { credential: zero })).status, 200)
  }
})

/** Adds a passkey without a counter. */
async function addPasskeyAt(person: TestPerson) {
  const browser = await enter(service, person)
  const key = softwarePasskey(service.formUrl)
  const { options } = (await browser.call('POST /dashboard/auth/passkeys/options')).body
  const credential = key.register(options, { counter: 0 })
  equal((await browser.call('POST /dashboard/auth/passkeys', { name: 'Phone', credential })).status, 200)
  return { key }
}
