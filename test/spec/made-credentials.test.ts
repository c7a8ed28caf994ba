import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROLES, type Role } from '../../contract/permissions.ts'
import { type Scope, scopesOf } from '../../contract/scopes.ts'
import { createApiKey } from '../../server/access/keys/create-api-key.ts'
import { makerOf } from '../../server/dashboard/credentials/maker-of.ts'
import { transaction } from '../../server/db/transaction.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { send } from '../support/merchant.ts'
import { makeTokens } from '../support/scoped-token.ts'
import { account, keyContext } from '../support/secret-key.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

// ACC-80: credentials that a person created end with the rights that they need.

let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService()
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

interface Shown {
  type: string
  id: string
  ends: boolean
}

const MAKERS: Role[] = ['owner', 'admin', 'developer']
const READING: Scope[] = ['catalog:read', 'payments:read']
const sessionsPath = () => `${service.url}/api/${service.demo.business_id}/checkout-sessions`

/**
 * Creates a key and a client, each with all rights and with read access only, and tokens on a client of the operator.
 */
async function make(person: DashboardClient) {
  const keys: { id: string; key: string; scopes: Scope[] }[] = []
  const clients: { id: string; token: string; scopes: Scope[] }[] = []
  for (const scopes of [undefined, READING]) {
    const choice = scopes && { scopes }
    const key = await person.call('POST /api_keys', { body: { name: 'Key', allowed_ips: ['127.0.0.1'], ...choice } })
    keys.push(key.body)
    const shop = { name: 'Client', redirect_url: 'https://shop.example', ...choice }
    const { body } = await person.call('POST /oauth_clients', { body: shop })
    clients.push({ id: body.id, token: body.tokens.access_token, scopes: body.scopes })
  }
  const tokens = await makeTokens(service, { userId: person.userId })
  return { keys, clients, tokens }
}

/** Waits until the service's cache, which lasts a second, is refreshed. */
async function statusOf(call: () => Promise<{ status: number }>, expected: number): Promise<number> {
  for (let tries = 0; ; tries++) {
    const { status } = await call()
    if (status === expected || tries === 30) return status
    await sleep(100)
  }
}

const withToken = (token: string) => send(sessionsPath(), { headers: { authorization: `Bearer ${token}` } })
const changesOf = (role: Role): (Role | null)[] => [...ROLES.filter((other) => other !== role), null]
const isWithin = (scopes: readonly Scope[], role: Role) =>
  scopes.every((scope) => scopesOf(role, 'staging').includes(scope))

describe('What a person made when their role changes (ACC-80)', () => {
  for (const role of MAKERS) {
    for (const next of changesOf(role)) {
      test(`${role} ${next === null ? 'is removed' : `becomes ${next}`}: exactly what is beyond it ends`, async () => {
        const person = await signIn(service, { role, isSteppedUp: true })
        const { keys, clients, tokens } = await make(person)
        const stays = (scopes: readonly Scope[]) => next !== null && MAKERS.includes(next) && isWithin(scopes, next)
        const keepsTokens = next !== null && MAKERS.includes(next)
        const path = `/team/members/${person.userId}`
        const query = next === null ? {} : { role: next }
        const { body: listed } = await owner.call(`GET ${path}/credentials`, { query })
        const endsOf = (id: string) => listed.data.find((one: Shown) => one.id === id)?.ends
        for (const { id, scopes } of [...keys, ...clients]) equal(endsOf(id), !stays(scopes))
        const families = listed.data.filter(({ type }: Shown) => type === 'oauth_family')
        deepEqual(
          families.map(({ ends }: Shown) => ends),
          [!keepsTokens, !keepsTokens, !keepsTokens],
        )

        const { body: team } = await owner.call('GET /team')
        const { version } = team.data.find(({ id }: { id: string }) => id === person.userId)
        const changed = await (next === null
          ? owner.call(`DELETE ${path}`)
          : owner.call(`PATCH ${path}`, { body: { version, role: next } }))
        equal(changed.status, 200, JSON.stringify(changed.body))

        for (const { key, scopes } of keys) {
          const expected = stays(scopes) ? 200 : 401
          equal(await statusOf(() => account(service, key), expected), expected)
        }
        for (const { token, scopes } of clients) {
          const may = scopes.includes('checkout_sessions:read') ? 200 : 403
          const expected = stays(scopes) ? may : 401
          equal(await statusOf(() => withToken(token), expected), expected)
        }
        const expected = keepsTokens ? 200 : 401
        equal(await statusOf(() => withToken(tokens.accessToken), expected), expected)
        await isAudited(listed.data)
      })
    }
  }

  async function isAudited(shown: Shown[]) {
    const { db } = service.app.services
    const entries = await db.selectFrom('audit_entry').selectAll().orderBy('number').execute()
    const { before: old, after: now } = entries.at(-1) ?? {}
    const ids = (list: unknown) => (list as Shown[]).map(({ id }) => id).sort()
    const { credentials } = old as unknown as { credentials: Shown[] }
    const { ended } = now as unknown as { ended: Shown[] }
    deepEqual(ids(credentials), ids(shown))
    deepEqual(ids(ended), ids(shown.filter(({ ends }) => ends)))
  }

  test('what others made, and the operator, stays', async () => {
    const person = await signIn(service, { role: 'admin', isSteppedUp: true })
    const other = await signIn(service, { role: 'admin', isSteppedUp: true })
    const { keys } = await make(other)
    const taken = (await make(person)).keys[0]
    const rotated = await other.call(`POST /api_keys/${taken?.id}/rotate`, { body: { overlap_hours: 24 } })
    equal((await owner.call(`DELETE /team/members/${person.userId}`)).status, 200)
    for (const key of [keys[0]?.key, rotated.body.key, service.demo.api_key]) {
      equal((await account(service, key)).status, 200)
    }
    equal(await statusOf(() => account(service, taken?.key ?? ''), 401), 401)
  })

  test('who leaves takes with them what they made', async () => {
    const person = await signIn(service, { role: 'developer', isSteppedUp: true })
    const { keys } = await make(person)
    const left = await person.call('POST /team/leave')
    equal(left.status, 200)
    equal(left.body.credentials.length, 7)
    equal(await statusOf(() => account(service, keys[0]?.key ?? ''), 401), 401)
  })

  test('a key that is made while its maker is demoted ends with the demotion', async () => {
    const person = await signIn(service, { role: 'admin', isSteppedUp: true })
    const { db } = service.app.services
    const context = keyContext(service)
    const { body: team } = await owner.call('GET /team')
    const { version } = team.data.find(({ id }: { id: string }) => id === person.userId)
    let demotion: Promise<{ status: number }> | undefined
    const key = await transaction(db, async (tx) => {
      const member = {
        business: { id: service.demo.business_id },
        session: { userId: person.userId, email: person.email },
        role: 'admin',
      } as unknown as Parameters<typeof makerOf>[1]
      const { rights, email: createdBy } = await makerOf(tx, member, 'staging')
      const wanted = { businessId: service.demo.business_id, name: 'Race', allowedIps: ['127.0.0.1'] }
      const made = await createApiKey({ ...context, db: tx }, { ...wanted, rights, createdBy })
      demotion = owner.call(`PATCH /team/members/${person.userId}`, { body: { version, role: 'support' } })
      await sleep(300)
      return made.key
    })
    equal((await demotion)?.status, 200)
    equal(await statusOf(() => account(service, key), 401), 401)
  })
})
