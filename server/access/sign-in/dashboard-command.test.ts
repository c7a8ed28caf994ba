import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openService, type TestService } from '../../../test/support/service.ts'
import { addTotp, enter, newPerson, visitor } from '../../../test/support/visitor.ts'
import { dashboardCommand } from './dashboard-command.ts'

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

const run = (...args: string[]) =>
  dashboardCommand({ ...service.app.services, dashboardUrl: service.formUrl, environment: 'staging' }, args)

test('link prints a link that signs a person in once, and leaves an entry', async () => {
  const person = await newPerson(service)
  const link = new URL(await run('link', '--user', person.email.toUpperCase()))
  deepEqual([link.origin, link.pathname], [new URL(service.formUrl).origin, '/dashboard/set-up'])
  const browser = visitor(service)
  equal((await browser.call('POST /dashboard/auth/set-up/sign-in', { code: link.hash.slice(1) })).body.next, 'done')
  const [entry] = await service.app.services.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_kind'])
    .where('object_id', '=', person.userId)
    .execute()
  deepEqual(entry, { action: 'sign_in_link.create', actor_kind: 'operator' })
  await rejects(run('link', '--user', 'nobody@shop.example'), /nobody signs in/)
})

test('reset-factors lets the last owner in again by the password alone', async () => {
  const person = await newPerson(service)
  const browser = await enter(service, person)
  await addTotp(service, browser)
  match(await run('reset-factors', '--user', person.email), /adds a second factor again/)
  equal((await browser.call('GET /dashboard/api/me')).status, 401)
  const again = await enter(service, person)
  equal((await again.call('GET /dashboard/api/me')).body.user.second_factor, false)
})

test('LTR-56: mailbox prints the link that shows letters to people, which production does not have', async () => {
  const link = await run('mailbox')
  equal((await fetch(link, { redirect: 'manual' })).status, 303)
  const production = { ...service.app.services, dashboardUrl: service.formUrl, environment: 'production' as const }
  await rejects(dashboardCommand(production, ['mailbox']), /Production has no mailbox/)
})

test('set-up is refused where people sign in already', async () => {
  await rejects(run('set-up'), /People sign in here already/)
})
