import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Role } from '../../contract/permissions.ts'
import { createBusiness } from '../../server/businesses/create-business.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { movableClock } from '../support/movable-clock.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

const clock = movableClock()
let service: TestService
let businessId: string
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
})
after(() => service.close())

beforeEach(async () => {
  const wanted = { name: 'Team Shop', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto' } as const
  const { db } = service.app.services
  businessId = (await transaction(db, (tx) => createBusiness({ db: tx, clock }, wanted))).id
})

const join = (role: Role, more: object = {}) => signIn(service, { role, businessId, isSteppedUp: true, ...more })
const teamOf = async (client: DashboardClient) => (await client.call('GET /team')).body
const rolesOf = async (client: DashboardClient) =>
  Object.fromEntries((await teamOf(client)).data.map(({ email, role }: { email: string; role: Role }) => [email, role]))
const addPasskey = ({ userId }: DashboardClient) =>
  service.app.services.db
    .insertInto('passkey')
    .values({
      ...{ id: newId(), user_id: userId, credential_id: Buffer.from(userId), public_key: Buffer.alloc(8) },
      ...{ counter: 0, is_synced: false, name: 'Key', created_at: clock.now() },
    })
    .execute()

async function change(client: DashboardClient, member: DashboardClient, role: Role) {
  const { data } = await teamOf(client)
  const { version } = data.find(({ id }: { id: string }) => id === member.userId) ?? {}
  return client.call(`PATCH /team/members/${member.userId}`, { body: { version: version ?? '', role } })
}

describe('The team', () => {
  test('is read by all, with role, second factor and when each was last seen', async () => {
    const owner = await join('owner')
    await addPasskey(owner)
    const analyst = await join('analyst')
    const { data, invitations } = await teamOf(analyst)
    deepEqual(invitations, [])
    deepEqual(
      data.map((one: Record<string, unknown>) => [one.email, one.role, one.has_second_factor, one.is_you]),
      [
        [owner.email, 'owner', true, false],
        [analyst.email, 'analyst', false, true],
      ],
    )
  })

  test('changes a role, which holds at the next call, with an audit row (DSH-14)', async () => {
    const owner = await join('owner')
    const support = await join('support')
    const { status, body } = await change(owner, support, 'analyst')
    deepEqual([status, body.role], [200, 'analyst'])
    equal((await support.call('POST /team/invitations', { body: {} })).status, 403)
    const [entry] = (await owner.call('GET /audit', { query: { action: 'member.change_role' } })).body.data
    deepEqual([entry.about.id, entry.before, entry.after], [support.userId, { role: 'support' }, { role: 'analyst' }])
    const stale = await owner.call(`PATCH /team/members/${support.userId}`, {
      body: { version: '0000000000000000', role: 'admin' },
    })
    deepEqual([stale.status, stale.body.error.code, stale.body.error.current.role], [409, 'conflict', 'analyst'])
    deepEqual((await rolesOf(owner))[support.email], 'analyst')
  })

  test('needs step-up for every change (DSH-12)', async () => {
    const owner = await join('owner', { isSteppedUp: false })
    const other = await join('support')
    const calls: [string, object?][] = [
      [`PATCH /team/members/${other.userId}`, { version: 'x', role: 'analyst' }],
      [`DELETE /team/members/${other.userId}`],
      ['POST /team/leave'],
      ['POST /team/ownership', { user_id: other.userId, business_name: 'Team Shop' }],
      ['POST /team/invitations', { email: 'new@shop.example', role: 'support' }],
      [`DELETE /team/invitations/${newId()}`],
    ]
    for (const [name, body] of calls) {
      const refused = await owner.call(name, { ...(body && { body }) })
      deepEqual([refused.status, refused.body.error.code], [403, 'step_up_required'], name)
    }
    equal((await rolesOf(owner))[other.email], 'support')
  })

  test('nobody changes their own role, and admins neither make nor touch owners (DSH-14)', async () => {
    const owner = await join('owner')
    const second = await join('owner')
    const admin = await join('admin')
    const support = await join('support')
    const refused = [
      await change(owner, owner, 'admin'),
      await change(admin, admin, 'support'),
      await change(admin, owner, 'support'),
      await change(admin, support, 'owner'),
      await admin.call(`DELETE /team/members/${second.userId}`),
      await admin.call('POST /team/invitations', { body: { email: 'new@shop.example', role: 'owner' } }),
      await admin.call('POST /team/ownership', { body: { user_id: admin.userId, business_name: 'Team Shop' } }),
    ]
    for (const { status, body } of refused) deepEqual([status, body.error.code], [403, 'permission_denied'])
    const roles = {
      [owner.email]: 'owner',
      [second.email]: 'owner',
      [admin.email]: 'admin',
      [support.email]: 'support',
    }
    deepEqual(await rolesOf(owner), roles)
    equal((await change(admin, support, 'admin')).status, 200)
  })

  test('knows no person of another business (DSH-1)', async () => {
    const owner = await join('owner')
    const stranger = await signIn(service)
    for (const id of [stranger.userId, newId(), 'x']) {
      const body = { version: 'x', role: 'analyst' }
      equal((await owner.call(`PATCH /team/members/${id}`, { body })).status, 404)
      equal((await owner.call(`DELETE /team/members/${id}`)).status, 404)
      equal((await owner.call(`GET /team/members/${id}/credentials`)).status, 404)
    }
    equal((await stranger.call('GET /settings')).status, 200)
  })

  test('removing a person ends their sessions and keys at once, which are shown before to who removes them (DEF-6)', async () => {
    const owner = await join('owner')
    const developer = await join('developer')
    const key = { name: 'Shop', allowed_ips: ['127.0.0.1'] }
    const { body: made } = await developer.call('POST /api_keys', { body: key })
    const keys = [{ type: 'api_key', id: made.id, name: 'Shop', last_four: made.last_four, ends: true }]
    deepEqual((await owner.call(`GET /team/members/${developer.userId}/credentials`)).body.data, keys)
    const support = await join('support')
    equal((await support.call(`GET /team/members/${developer.userId}/credentials`)).status, 403)
    deepEqual((await support.call(`GET /team/members/${support.userId}/credentials`)).body.data, [])
    const { status, body } = await owner.call(`DELETE /team/members/${developer.userId}`)
    deepEqual([status, body.email, body.credentials], [200, developer.email, keys])
    equal((await developer.call('GET /team')).status, 401)
    deepEqual(Object.keys(await rolesOf(owner)), [owner.email, support.email])
  })
})

describe('There is always an owner (DSH-14, DEF-15)', () => {
  test('who is not removed, does not leave and is not demoted as the last one', async () => {
    const owner = await join('owner')
    const admin = await join('admin')
    for (const refused of [
      await owner.call('POST /team/leave'),
      await owner.call(`DELETE /team/members/${owner.userId}`),
    ])
      deepEqual([refused.status, refused.body.error.code], [409, 'conflict'])
    equal((await admin.call('POST /team/leave')).status, 200)
    deepEqual(await rolesOf(owner), { [owner.email]: 'owner' })
  })

  test('and one of them has a second factor, once one has', async () => {
    const owner = await join('owner')
    const second = await join('owner')
    await addPasskey(owner)
    equal((await owner.call('POST /team/leave')).status, 409)
    equal((await change(second, owner, 'admin')).status, 409)
    await addPasskey(second)
    equal((await change(second, owner, 'admin')).status, 200)
  })

  test('when two owners demote each other at once: one wins, the other is a conflict', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = [await join('owner'), await join('owner')]
      const results = await Promise.all([change(one, other, 'admin'), change(other, one, 'admin')])
      const [won, lost = 0] = results.map(({ status }) => status).sort()
      // The person is not an owner any more when the call, which came a moment later, is authorized.
      ok(won === 200 && [403, 409].includes(lost), `${won} ${lost}`)
      const winner = results[0].status === 200 ? one : other
      const owners = Object.values(await rolesOf(winner)).filter((role) => role === 'owner')
      equal(owners.length, 1)
      await service.app.services.db.deleteFrom('business_member').where('business_id', '=', businessId).execute()
    }
  })

  test('when two owners leave at once', async () => {
    const owners = [await join('owner'), await join('owner')]
    const results = await Promise.all(owners.map((owner) => owner.call('POST /team/leave')))
    deepEqual(results.map(({ status }) => status).sort(), [200, 409])
  })

  test('and ownership is transferred at once, with the name of the business typed', async () => {
    const owner = await join('owner')
    const admin = await join('admin')
    const transfer = (business_name: string) =>
      owner.call('POST /team/ownership', { body: { user_id: admin.userId, business_name } })
    const wrong = await transfer('Team shop')
    deepEqual([wrong.status, wrong.body.error.param], [422, 'business_name'])
    equal((await transfer('Team Shop')).status, 200)
    deepEqual(await rolesOf(admin), { [owner.email]: 'admin', [admin.email]: 'owner' })
    equal((await transfer('Team Shop')).status, 403)
  })
})
