import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { letterSources } from '../../server/app/letter-sources.ts'
import { connect } from '../../server/db/connection.ts'
import { composeDue } from '../../server/emails/compose/compose-due.ts'
import { composeLetters } from '../../server/emails/compose/compose-letters.ts'
import { claimDueNotifications } from '../../server/events/notification-queries.ts'
import { addSeconds } from '../../server/lib/clock.ts'
import { invoicesOf, lettersOf } from '../support/letters.ts'
import { openService, type TestService } from '../support/service.ts'
import { createSubscribed, makeSubscribable } from '../support/subscriptions.ts'

// LTR-10: a fact creates its letters exactly once, also when a process is killed (killed-process.test.ts).

const RECEIVED = ['customer payment_succeeded', 'customer subscription_created', 'merchant payment_succeeded']

describe('letters are composed exactly once', () => {
  let service: TestService
  before(async () => {
    service = await openService()
  })
  after(() => service.close())

  /** Returns what has been written since: kinds of letters, with their audience, and numbers of invoices. */
  async function writtenFromNow() {
    const [letters, invoices] = [(await lettersOf(service)).length, (await invoicesOf(service)).length]
    return {
      letters: async () => (await lettersOf(service)).slice(letters).map(({ audience, kind }) => `${audience} ${kind}`),
      invoices: async () => (await invoicesOf(service)).slice(invoices).map(({ number }) => number - invoices),
    }
  }

  test('when several workers have the same facts at once, invoices included', async () => {
    const { services } = service.app
    const written = await writtenFromNow()
    const { business_id: businessId } = service.demo
    await createSubscribed(service, await makeSubscribable(service))
    const now = services.clock.now()
    // A late worker that has taken the facts.
    const late = await claimDueNotifications(services.db, { now, leaseUntil: addSeconds(now, 60), limit: 10 })
    equal(late.length > 0, true)
    await Promise.all([
      ...Array.from({ length: 4 }, () => composeDue(services, { businessId })),
      ...late.map((notification) => composeLetters(services, businessId, [notification])),
    ])
    await Promise.all(late.map((notification) => composeLetters(services, businessId, [notification])))
    deepEqual((await written.letters()).sort(), RECEIVED)
    deepEqual(await written.invoices(), [1])
  })

  test('a fault in the transaction of many facts is that of one: each is written by itself', async () => {
    const { services } = service.app
    const written = await writtenFromNow()
    const { business_id: businessId } = service.demo
    await createSubscribed(service, await makeSubscribable(service))
    let reached = 0
    const reach = () => {
      reached++
      if (reached === 1) throw new Error('the database was away')
    }
    await composeDue({ ...services, faults: { reach } }, { businessId })
    equal(reached, 3)
    equal((await written.letters()).length, RECEIVED.length)
    deepEqual(await written.invoices(), [1])
  })

  test('the letters of many facts cost few statements', async () => {
    const { services } = service.app
    const written = await writtenFromNow()
    const { business_id: businessId } = service.demo
    for (let made = 0; made < 6; made++) await createSubscribed(service, await makeSubscribable(service))
    const database = connect({ url: service.databaseUrl })
    const { db } = database
    let taken = 0
    database.pool.on('acquire', () => taken++)
    await composeDue({ ...services, db, letterSources: letterSources({ ...services, db }) }, { businessId })
    await database.close()
    equal((await written.letters()).length, 6 * RECEIVED.length)
    // The claim, six reads and one transaction; it was 105 when each letter made its own reads.
    ok(taken <= 10, `${taken} statements and transactions`)
  })

  test('a fact that cannot be composed waits longer each time, and stops no other', async () => {
    const { services } = service.app
    const written = await writtenFromNow()
    const { business_id: businessId } = service.demo
    await services.db
      .insertInto('notification')
      .values({
        business_id: businessId,
        id: '00000000-0000-7000-8000-000000000001',
        type: 'subscription.card_link',
        data: { subscription_id: '00000000-0000-7000-8000-000000000002' },
        due_at: new Date(0),
        created_at: new Date(0),
      })
      .execute()
    await createSubscribed(service, await makeSubscribable(service))
    const delays: number[] = []
    for (let run = 0; run < 3; run++) {
      await composeDue(services, { businessId })
      const waiting = await services.db
        .selectFrom('notification')
        .select('due_at')
        .where('due_at', 'is not', null)
        .execute()
      equal(waiting.length, 1)
      delays.push(Math.round((Number(waiting[0]?.due_at) - services.clock.now().getTime()) / 5_000))
    }
    deepEqual(delays, [1, 2, 4])
    equal((await written.letters()).length, RECEIVED.length)
  })
})
