import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createTestDatabase } from '../../test/support/database.ts'
import { connect } from '../db/connection.ts'
import { addSeconds } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { createRefusalRecorder } from './refusal-recorder.ts'
import { deleteOldRefusals } from './refused-request-queries.ts'

test('of a server in a loop 60 calls a minute are kept, for seven days, without what it has sent (ACC-31)', async () => {
  const database = await createTestDatabase()
  const { db, close } = connect({ url: database.url })
  let ms = 0
  const start = new Date('2026-01-01T00:00:00Z')
  const clock = { now: () => addSeconds(start, ms / 1_000), monotonicMs: () => ms }
  const { record, flush } = createRefusalRecorder({ db, clock, log: pino({ level: 'silent' }) })
  const refuse = (businessId: string, field = 'name') =>
    record({
      credential: { businessId, kind: 'api_key', id: newId() },
      method: 'POST',
      path: '/api/v1/products',
      status: 422,
      code: 'parameter_invalid',
      fields: [field],
      ip: '192.0.2.1',
      requestId: newId(),
    })
  const [looping, other] = [newId(), newId()]
  for (let call = 0; call < 100; call++) refuse(looping)
  refuse(other, '4242424242424242')
  refuse(other, 'what: ever')
  await flush()
  const rows = () => db.selectFrom('refused_request').select(['business_id', 'param']).execute()
  equal((await rows()).filter((row) => row.business_id === looping).length, 60)
  deepEqual(
    (await rows()).filter((row) => row.business_id === other).map(({ param }) => param),
    [null, null],
  )
  ms = 60_000
  refuse(looping)
  await flush()
  equal((await rows()).length, 63)
  await deleteOldRefusals(db, addSeconds(start, 30))
  equal((await rows()).length, 1)
  await close()
  await database.drop()
})
