import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { deleteExpiredCredentialsJob } from '../../server/access/access-jobs.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { type MovableClock, movableClock } from '../support/movable-clock.ts'
import { readPdf } from '../support/read-pdf.ts'
import { secondMerchant } from '../support/second-merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { addPerson, newPerson, type TestPerson, type Visitor, visitor } from '../support/visitor.ts'

// SUB-152: a signature from an address where a member recently signed in is marked.

const DAY = 86_400
const MARK = {
  en: /a member of the team had signed in within the 30 days before/,
  'fr-CA': /un membre de l’équipe s’était connecté dans les 30 jours précédents/,
  es: /un miembro del equipo había iniciado sesión en los 30 días anteriores/,
}

let service: TestService
let clock: MovableClock
let owner: DashboardClient
let api: MerchantApiClient
before(async () => {
  clock = movableClock()
  service = await openService({ clock, config: { trustedProxies: ['127.0.0.1'] } })
  callInProcess(service)
  api = merchantApiOf(service)
  owner = await signIn(service)
})
after(() => service.close())

let sites = 0
/** Returns an address that nobody has used before. */
const somewhere = () => `198.51.${100 + Math.floor(sites / 250)}.${(sites++ % 250) + 1}`

async function enterFrom(ip: string, { email, password }: TestPerson): Promise<Visitor> {
  const browser = visitor(service)
  const headers = { 'x-forwarded-for': ip }
  const { status, body } = await browser.call('POST /dashboard/auth/sign-in', { email, password }, headers)
  deepEqual([status, body.next], [200, 'done'])
  return browser
}

async function sentContract(): Promise<{ id: string; url: string }> {
  const { id: customer } = await api.made('/customers', { name: 'Ana Roy', email: `${newId()}@example.com` })
  const draft = { customer, title: 'Terms', text: 'I agree.' }
  const { id } = (await owner.call('POST /contracts', { body: draft })).body
  const { body } = await owner.call(`POST /contracts/${id}/send`)
  return { id, url: body.url }
}

/** Signs a contract. @returns what the dashboard says about the signature */
async function signFrom(ip: string, headers: Record<string, string> = {}, contract = sentContract()) {
  const { id, url } = await contract
  const given = { origin: service.formUrl, 'x-forwarded-for': ip, ...headers }
  const body = new URLSearchParams({ contract_name: 'Ana Roy', contract_agreed: 'on' })
  const response = await fetch(url, { method: 'POST', headers: given, body, redirect: 'manual' })
  const shown = await response.text()
  for (const sentence of Object.values(MARK)) doesNotMatch(shown, sentence)
  const { signature } = (await owner.call(`GET /contracts/${id}`)).body
  equal(signature.ip, ip)
  return { id, marked: signature.team_seen_there as boolean | null }
}

async function pdfOf(id: string): Promise<string> {
  const response = await fetch(`${service.formUrl}/dashboard/api/b/${service.demo.business_id}/contracts/${id}/pdf`, {
    headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
  })
  return (await readPdf(Buffer.from(await response.arrayBuffer()))).pages.join(' ')
}

describe('A signature', () => {
  test('from an address where a member has signed in is marked on the page and in the PDF, in each language', async () => {
    const ip = somewhere()
    await enterFrom(ip, await newPerson(service))
    const { id, marked } = await signFrom(ip)
    equal(marked, true)
    const { db } = service.app.services
    for (const [locale, sentence] of Object.entries(MARK)) {
      await db.updateTable('business').set({ locale }).where('id', '=', service.demo.business_id).execute()
      const pdf = await pdfOf(id)
      match(pdf, sentence)
      doesNotMatch(pdf, /Pat Roy|person-/)
    }
    await db.updateTable('business').set({ locale: null }).where('id', '=', service.demo.business_id).execute()
  })

  test('from another address is not', async () => {
    await enterFrom(somewhere(), await newPerson(service))
    const { id, marked } = await signFrom(somewhere())
    equal(marked, false)
    doesNotMatch(await pdfOf(id), MARK.en)
  })

  test('of IPv6 the /64 counts, in any spelling', async () => {
    const part = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
    const sameNet = fc.tuple(part, part, part, part, part, part, part, fc.boolean())
    await fc.assert(
      fc.asyncProperty(sameNet, async ([net, a, b, c, d, e, f, isSame]) => {
        const [one, other] = [`2001:db8:${net}:1`, `2001:db8:${net}:${isSame ? '1' : '2'}`]
        await enterFrom(`${one}:${a}:${b}:${c}:1`, await newPerson(service))
        const { id, url } = await sentContract()
        const headers = { origin: service.formUrl, 'x-forwarded-for': `${other}:${d}:${e}:${f}:2`.toUpperCase() }
        const body = new URLSearchParams({ contract_name: 'Ana Roy', contract_agreed: 'on' })
        await fetch(url, { method: 'POST', headers, body, redirect: 'manual' })
        equal((await owner.call(`GET /contracts/${id}`)).body.signature.team_seen_there, isSame)
        await service.app.services.db.deleteFrom('member_trace').execute()
      }),
      { numRuns: 15 },
    )
  })

  test('in the browser of a member is marked, from whatever address', async () => {
    const { cookie } = await enterFrom(somewhere(), await newPerson(service))
    equal((await signFrom(somewhere(), { cookie: `theme=dark; ${cookie}` })).marked, true)
    equal((await signFrom(somewhere(), { cookie: `${cookie}x` })).marked, false)
    equal((await signFrom(somewhere(), { cookie: 'rialto=a.b' })).marked, false)
  })

  test('is marked where a member has only worked, with a session from elsewhere', async () => {
    const [person, ip] = [await newPerson(service), somewhere()]
    const browser = await enterFrom(somewhere(), person)
    clock.advance(60)
    const path = `GET /dashboard/api/b/${service.demo.business_id}/contracts`
    equal((await browser.call(path, undefined, { 'x-forwarded-for': ip })).status, 200)
    equal((await signFrom(ip)).marked, true)
  })

  test('is not marked for a member of another business alone, and is for one of both', async () => {
    const foreign = await secondMerchant(service)
    const [abroad, both] = [somewhere(), somewhere()]
    await enterFrom(abroad, await addPerson(service.app.services, foreign.demo.business_id))
    equal((await signFrom(abroad)).marked, false)
    const person = await addPerson(service.app.services, foreign.demo.business_id)
    const member = { business_id: service.demo.business_id, user_id: person.userId, role: 'support' }
    await service.app.services.db
      .insertInto('business_member')
      .values({ ...member, created_at: clock.now() })
      .execute()
    await enterFrom(both, person)
    equal((await signFrom(both)).marked, true)
  })

  test('is marked for 30 days, also when the session has ended and when the member was removed', async () => {
    const ip = somewhere()
    const [person, kept] = [await newPerson(service), await newPerson(service)]
    const browser = await enterFrom(ip, person)
    equal((await browser.call('POST /dashboard/auth/sign-out')).status, 200)
    const { db } = service.app.services
    await db.deleteFrom('business_member').where('user_id', '=', person.userId).execute()
    equal((await signFrom(ip)).marked, true)
    clock.advance(30 * DAY - 60)
    owner = await signIn(service)
    await deleteExpiredCredentialsJob.run(service.app.services, {})
    equal((await signFrom(ip)).marked, true)
    clock.advance(120)
    equal((await signFrom(ip)).marked, false)
    await deleteExpiredCredentialsJob.run(service.app.services, {})
    deepEqual(await db.selectFrom('member_trace').selectAll().where('user_id', '=', person.userId).execute(), [])
    await enterFrom(ip, kept)
    equal((await signFrom(ip)).marked, true)
  })

  test('keeps its mark, whatever happens afterwards; one from before the rule says nothing', async () => {
    const ip = somewhere()
    const { id, marked } = await signFrom(ip)
    equal(marked, false)
    await enterFrom(ip, await newPerson(service))
    equal((await owner.call(`GET /contracts/${id}`)).body.signature.team_seen_there, false)
    await service.app.services.db.updateTable('contract').set({ team_seen_there: null }).where('id', '=', id).execute()
    equal((await owner.call(`GET /contracts/${id}`)).body.signature.team_seen_there, null)
    doesNotMatch(await pdfOf(id), MARK.en)
  })

  test('a refused sign-in leaves no trace', async () => {
    const [person, ip] = [await newPerson(service), somewhere()]
    const headers = { 'x-forwarded-for': ip }
    const given = { email: person.email, password: 'wrong password of somebody' }
    equal((await visitor(service).call('POST /dashboard/auth/sign-in', given, headers)).status, 401)
    equal((await signFrom(ip)).marked, false)
  })
})
