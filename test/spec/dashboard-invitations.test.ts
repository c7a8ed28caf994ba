import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Role } from '../../contract/permissions.ts'
import { acceptInvitation, declineInvitation, lookAtInvitation } from '../../server/access/members/accept-invitation.ts'
import { invite } from '../../server/access/members/invite.ts'
import { createBusiness } from '../../server/businesses/create-business.ts'
import { transaction } from '../../server/db/transaction.ts'
import { ApiError } from '../../server/lib/errors.ts'
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
async function change(client: DashboardClient, member: DashboardClient, role: Role) {
  const { data } = await teamOf(client)
  const { version } = data.find(({ id }: { id: string }) => id === member.userId) ?? {}
  return client.call(`PATCH /team/members/${member.userId}`, { body: { version: version ?? '', role } })
}

describe('An invitation (DSH-13, DEF-16)', () => {
  const newPerson = { name: 'New Person', passwordHash: 'a hash' }
  const context = (tx: Parameters<typeof invite>[0]['tx']) => ({
    tx,
    keyring: service.app.services.keyring,
    now: clock.now(),
  })
  const inTx = <Result>(work: (given: ReturnType<typeof context>) => Promise<Result>) =>
    transaction(service.app.services.db, (tx) => work(context(tx)))

  async function invited(
    by: DashboardClient,
    { role = 'support', byRole = 'owner' }: { role?: Role; byRole?: Role } = {},
  ) {
    const email = `new-${newId()}@shop.example`
    const { code } = await inTx((given) =>
      invite(given, { businessId, userId: by.userId, role: byRole }, { email, role }),
    )
    return { email, code }
  }
  const accept = (code: string, more: Partial<Parameters<typeof acceptInvitation>[1]> = {}) =>
    inTx((given) => acceptInvitation(given, { code, signedIn: null, newPerson, ...more })).then(
      ({ invitation }) => invitation.role,
      (error) => {
        if (!(error instanceof ApiError)) throw error
        return error.code
      },
    )

  test('is made with step-up, listed, replaced by a newer one, and withdrawn', async () => {
    const owner = await join('owner')
    const body = { email: 'New@Shop.example', role: 'support' }
    const made = await owner.call('POST /team/invitations', { body })
    deepEqual([made.status, made.body.email, made.body.role], [201, 'new@shop.example', 'support'])
    equal(made.body.expires - made.body.created, 7 * 86_400)
    const again = await owner.call('POST /team/invitations', { body: { ...body, role: 'analyst' } })
    deepEqual((await teamOf(owner)).invitations, [again.body])
    const taken = await owner.call('POST /team/invitations', { body: { email: owner.email, role: 'support' } })
    deepEqual([taken.status, taken.body.error.param], [422, 'email'])
    const other = await signIn(service, { isSteppedUp: true })
    equal((await other.call(`DELETE /team/invitations/${again.body.id}`)).status, 404)
    equal((await owner.call(`DELETE /team/invitations/${again.body.id}`)).status, 200)
    equal((await owner.call(`DELETE /team/invitations/${again.body.id}`)).status, 404)
    deepEqual((await teamOf(owner)).invitations, [])
    const text = JSON.stringify((await owner.call('GET /audit')).body)
    match(text, /invitation\.create.*new@shop\.example/)
  })

  test('lets a new person in once, with the role that it names', async () => {
    const owner = await join('owner')
    const { email, code } = await invited(owner)
    const look = await inTx((given) => lookAtInvitation(given, code))
    deepEqual([look.business, look.role, look.email, look.isKnown], ['Team Shop', 'support', email, false])
    equal(await accept(code), 'support')
    equal(await accept(code), 'validation_failed')
    const member = (await teamOf(owner)).data.find((one: { email: string }) => one.email === email)
    deepEqual([member.role, member.invited_by, member.name], ['support', owner.email, 'New Person'])
  })

  test('is accepted once by two at the same time', async () => {
    const { code } = await invited(await join('owner'))
    const results = await Promise.all([accept(code), accept(code)])
    deepEqual(results.sort(), ['support', 'validation_failed'])
  })

  test('is refused when it is older than seven days, withdrawn, declined, or for someone else', async () => {
    const owner = await join('owner')
    const { code: declined } = await invited(owner)
    await inTx((given) => declineInvitation(given, declined))
    const { code: old } = await invited(owner)
    clock.advance(7 * 86_400 + 1)
    const later = await join('owner')
    for (const code of [declined, old, 'A'.repeat(43)]) equal(await accept(code), 'validation_failed')
    const known = await signIn(service)
    const made = await inTx((given) =>
      invite(given, { businessId, userId: later.userId, role: 'owner' }, { email: known.email, role: 'support' }),
    )
    equal(await accept(made.code), 'signed_out')
    equal(await accept(made.code, { signedIn: { userId: later.userId } }), 'permission_denied')
    equal(await accept(made.code, { signedIn: { userId: known.userId } }), 'support')
  })

  test('is worth no more than the rights of who made it', async () => {
    const owner = await join('owner')
    const admin = await join('admin')
    const { code } = await invited(admin, { role: 'admin', byRole: 'admin' })
    equal((await change(owner, admin, 'support')).status, 200)
    equal(await accept(code), 'validation_failed')
    const second = await join('owner')
    const { code: ofOwner } = await invited(second, { role: 'owner' })
    equal((await change(owner, second, 'admin')).status, 200)
    equal(await accept(ofOwner), 'validation_failed')
  })

  test('is never to a business that is gone: none is deleted', async () => {
    await invited(await join('owner'))
    await rejects(service.app.services.db.deleteFrom('business').where('id', '=', businessId).execute())
  })

  test('changes nothing for who belongs to the business already', async () => {
    const owner = await join('owner')
    const { email, code } = await invited(owner, { role: 'admin' })
    const analyst = await join('analyst')
    await service.app.services.db.updateTable('auth_user').set({ email }).where('id', '=', analyst.userId).execute()
    equal(await accept(code, { signedIn: { userId: analyst.userId } }), 'validation_failed')
    equal((await rolesOf(owner))[email], 'analyst')
  })
})
