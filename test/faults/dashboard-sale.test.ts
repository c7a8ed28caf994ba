import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { TimelineEntry } from '../../contract/dashboard/timeline.ts'
import { findBrokenEntry } from '../../server/audit/audit-queries.ts'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { type DashboardClient, loseResponse, signIn } from '../support/dashboard.ts'
import { moneyRows } from '../support/money-rows.ts'
import { sharedService } from '../support/shared-services.ts'
import { resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { sellTo, storeCard } from '../support/stored-card.ts'
import { until } from '../support/until.ts'

// DSH-48: the timeline of a sale that a person made names the person, whatever its outcome.

interface Desk {
  owner: DashboardClient
  sell(key?: string): ReturnType<DashboardClient['call']>
  /** Returns kind, state, person and note of each operation. */
  operationsOf(id: string): Promise<unknown[][]>
}

async function openDesk(service: ServiceWithClock): Promise<Desk> {
  const card = await storeCard(service, `${newId()}@example.com`)
  const owner = await signIn(service)
  const body = { customer: card.customerId, payment_method: card.cardId, amount: 2_000, description: 'By phone' }
  const { db } = service.app.services
  /** Calls with a session that does not end, however far the clock was set forward. */
  const call: DashboardClient['call'] = async (...args) => {
    const at = service.clock.now()
    await db.updateTable('auth_session').set({ last_seen_at: at }).where('id', '=', owner.sessionId).execute()
    return owner.call(...args)
  }
  return {
    owner,
    sell: (key = newId()) => call('POST /sales', { body, key }),
    async operationsOf(id) {
      const entries = (await call(`GET /payments/${id}/timeline`)).body.data as TimelineEntry[]
      equal(entries.filter(({ type }) => type === 'audit').length, 0)
      return entries.flatMap((entry) =>
        entry.type === 'operation' ? [[entry.kind, entry.state, entry.by?.name ?? null, entry.note]] : [],
      )
    },
  }
}

describe('DSH-48: a sale that a person made', () => {
  after(async () => {
    const { app, demo } = opened()
    equal(await findBrokenEntry(app.services.db, demo.business_id), null)
  })
  const opened = sharedService()

  test('is named with its person, also when it was declined; a sale of the server of the merchant has no person', async () => {
    const service = opened()
    const [owner, support] = [await signIn(service), await signIn(service, { role: 'support' })]
    const ana = await storeCard(service, 'ana@example.com')
    const eva = await storeCard(service, 'eva@example.com', { cardNumber: CARDS.onlyWhenTyped })
    const timeline = async (id: string) =>
      (await owner.call(`GET /payments/${id}/timeline`)).body.data as TimelineEntry[]
    for (const [seller, { customerId, cardId }, description] of [
      [support, ana, 'By phone'],
      [owner, ana, null],
      [support, eva, null],
    ] as const) {
      const body = { customer: customerId, payment_method: cardId, amount: 2_000, ...(description && { description }) }
      const entries = await timeline((await seller.call('POST /sales', { body })).body.id)
      const [sale] = entries
      ok(sale?.type === 'operation')
      deepEqual([sale.by, sale.note], [{ kind: 'person', name: seller.email }, description])
      deepEqual(
        entries.filter(({ type }) => type === 'audit'),
        [],
      )
      const { body: entry } = await owner.call(`GET /audit/${sale.audit_entry}`)
      deepEqual([entry.action, entry.outcome], ['sale.create', 'requested'])
    }
    const [byServer] = await timeline((await sellTo(service, ana)).body.recordID)
    equal(byServer?.type === 'operation' && byServer.by, null)
  })

  for (const [outcome, state, reversals] of [
    ['silent_recorded', 'REVERSED', [['reversal_void', 'APPROVED', null, null]]],
    ['silent_not_recorded', 'NOT_CHARGED', []],
  ] as const) {
    test(`${outcome}: the person is named while it is being resolved, and afterwards`, async () => {
      const service = opened()
      const desk = await openDesk(service)
      await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })

      const { status, body } = await desk.sell()
      deepEqual([status, body.status], [201, 'pending'])
      deepEqual(await desk.operationsOf(body.id), [['sale', 'IN_DOUBT', desk.owner.email, 'By phone']])

      await resolveAll(service)
      deepEqual(await desk.operationsOf(body.id), [['sale', state, desk.owner.email, 'By phone'], ...reversals])
    })
  }

  test('the person is named when the response comes late', async () => {
    const service = opened()
    const desk = await openDesk(service)
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined_slowly' }] })

    const { body } = await desk.sell()
    equal(body.status, 'pending')
    await using book = moneyRows(service.databaseUrl)
    await until('the late response is recorded', async () => (await book.countOpen()) === 0)

    deepEqual(await desk.operationsOf(body.id), [['sale', 'DECLINED', desk.owner.email, 'By phone']])
  })

  test('that was not sent, and whose response was lost, is not sent by the same call', async () => {
    const service = opened()
    const desk = await openDesk(service)
    const key = newId()
    const first = await service.whileGatewayAway(() => desk.sell(key))
    deepEqual([first.status, first.body.error.code], [400, 'gateway_unavailable'])
    await loseResponse(service, key)
    service.clock.advance(61)

    const again = await desk.sell(key)
    deepEqual([again.status, again.body.error.code], [400, 'gateway_unavailable'])
    deepEqual((await desk.sell(key)).body.error.code, 'gateway_unavailable')
    equal((await desk.sell()).body.status, 'succeeded')
  })
})
