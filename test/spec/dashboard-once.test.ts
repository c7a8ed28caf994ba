import { deepEqual, equal, rejects } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deleteOldDashboardRequestsJob } from '../../server/dashboard/dashboard-jobs.ts'
import { doOnce } from '../../server/dashboard/once.ts'
import { claimRequest, type OnceRequest } from '../../server/dashboard/request-queries.ts'
import { transaction } from '../../server/db/transaction.ts'
import { ApiError } from '../../server/lib/errors.ts'
import { newId } from '../../server/lib/ids.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
before(async () => {
  service = await openService()
})
after(() => service.close())

function request(): OnceRequest {
  return { businessId: service.demo.business_id, userId: 'ana', key: newId(), hash: Buffer.from('one call') }
}

/** Counts how often the work begins. */
function countedWork(respond: () => unknown) {
  const counts = { begun: 0, worked: 0 }
  const begin = async () => void counts.begun++
  const work = async () => {
    counts.worked++
    return { status: 201, body: await respond() }
  }
  return { counts, once: { begin, work } }
}

const scope = () => ({ db: service.app.services.db, now: new Date() })

describe('A call that must not happen twice (DSH-4)', () => {
  test('happens once, and the same call again gets the first response', async () => {
    const given = request()
    const { counts, once } = countedWork(() => ({ id: 'made' }))
    const first = await doOnce(scope(), given, once)
    const second = await doOnce(scope(), given, once)
    deepEqual([first.status, first.body, second.status, second.body], [201, { id: 'made' }, 201, { id: 'made' }])
    deepEqual(counts, { begun: 1, worked: 1 })
  })

  test('keeps a response without its secrets', async () => {
    const given = request()
    const { once } = countedWork(() => ({ id: 'made', key: 'a secret' }))
    const kept = () => ({ id: 'made', key: null })
    deepEqual((await doOnce(scope(), given, { ...once, kept })).body, { id: 'made', key: 'a secret' })
    deepEqual((await doOnce(scope(), given, { ...once, kept })).body, { id: 'made', key: null })
  })

  test('is a conflict for another call with its key, and while it is under way', async () => {
    const given = request()
    const held = Promise.withResolvers<void>()
    const { counts, once } = countedWork(() => held.promise)
    const first = doOnce(scope(), given, once)
    while (counts.worked === 0) await new Promise(setImmediate)
    await rejects(doOnce(scope(), given, once), { code: 'conflict' })
    await rejects(doOnce(scope(), { ...given, hash: Buffer.from('another') }, once), { code: 'idempotency_key_reused' })
    held.resolve()
    await first
    deepEqual(counts, { begun: 1, worked: 1 })
  })

  test('may come again after a refusal that did nothing; a decline is its response', async () => {
    const given = request()
    const refused = countedWork(() => Promise.reject(new ApiError('conflict', { message: 'not now' })))
    await rejects(doOnce(scope(), given, refused.once), { code: 'conflict' })
    const declined = countedWork(() => Promise.reject(new ApiError('card_declined', { message: 'declined' })))
    await rejects(doOnce(scope(), given, declined.once), { code: 'card_declined' })
    await rejects(doOnce(scope(), given, declined.once), { code: 'card_declined' })
    equal(declined.counts.worked, 1)
  })

  test('never begins again after an error whose outcome is not known', async () => {
    const given = request()
    const broken = countedWork(() => Promise.reject(new Error('the connection was lost')))
    await rejects(doOnce(scope(), given, broken.once), /connection was lost/)
    await rejects(doOnce(scope(), given, broken.once), { code: 'conflict' })
    equal(broken.counts.worked, 1)
  })

  test('is forgotten after a day', async () => {
    const given = request()
    const { once } = countedWork(() => null)
    await doOnce({ ...scope(), now: new Date(Date.now() - 86_500_000) }, given, once)
    const recent = request()
    await doOnce(scope(), recent, once)
    await deleteOldDashboardRequestsJob.worker(service.app.services).run({})
    const left = await service.app.services.db.selectFrom('dashboard_request').select('key').execute()
    const keys = left.map(({ key }) => key)
    deepEqual([keys.includes(given.key), keys.includes(recent.key)], [false, true])
  })

  describe('whose response was lost', () => {
    /** Ends like a killed process: nothing after the work is recorded. */
    async function loseResponse(given: OnceRequest, at = new Date()) {
      const { counts, once } = countedWork(() => ({ id: 'made' }))
      await transaction(scope().db, (tx) => claimRequest(tx, given, at))
      return { counts, once }
    }
    const minuteAgo = () => new Date(Date.now() - 61_000)

    test('gets what came of it, and does nothing', async () => {
      const given = request()
      const { counts, once } = await loseResponse(given)
      const recover = async (id: string) => ({ status: 200, body: { id, found: true } })
      const second = await doOnce(scope(), given, { ...once, recover })
      deepEqual([(second.body as { found: boolean }).found, counts.worked], [true, 0])
    })

    test('does the work under the same id when nothing came of it and its process has ended', async () => {
      const given = request()
      const { once } = await loseResponse(given, minuteAgo())
      const ids: string[] = []
      const recover = async (id: string) => {
        ids.push(id)
        return null
      }
      const work = async (id: string) => ({ status: 201, body: ids.push(id) })
      equal((await doOnce(scope(), given, { ...once, recover, work })).status, 201)
      equal(ids.length, 2)
      equal(new Set(ids).size, 1)
    })

    test('is a conflict while its process may be at work, and for good when nothing can be known', async () => {
      const [fresh, unknown] = [request(), request()]
      const { once } = await loseResponse(fresh)
      await rejects(doOnce(scope(), fresh, { ...once, recover: async () => null }), { code: 'conflict' })
      await loseResponse(unknown, minuteAgo())
      await rejects(doOnce(scope(), unknown, once), { code: 'conflict' })
    })

    test('is not hidden by an error after it began', async () => {
      const given = request()
      const { once } = countedWork(() => Promise.reject(new ApiError('internal_error', { message: 'not confirmed' })))
      const reply = await doOnce(scope(), given, {
        ...once,
        recover: async () => ({ status: 200, body: { status: 'pending' } }),
      })
      deepEqual(reply.body, { status: 'pending' })
    })
  })
})
