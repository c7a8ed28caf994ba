import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { movableClock } from '../../test/support/movable-clock.ts'
import type { Db } from '../db/connection.ts'
import { memoryRateLimiters } from '../http/memory-rate-limit.ts'
import { newApiKey } from './keys/api-key.ts'
import { createPageSightings } from './page-sightings.ts'
import { newSecret } from './tokens/token.ts'

const NO_DATABASE = {} as Db

/** Creates sightings whose look-ups find nothing and are counted. */
function watched(find: () => Promise<null> = async () => null) {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const clock = movableClock()
  const counted = { looks: 0 }
  const finder = {
    find() {
      counted.looks += 1
      return find()
    },
    forgetAll() {},
  }
  const sightings = createPageSightings({
    ...{ db: NO_DATABASE, clock, log, environment: 'staging' as const },
    apiKeys: finder,
    bearerTokens: finder,
    makeOwnRateLimiter: memoryRateLimiters(clock),
  })
  const send = (authorization: string | undefined, ip = '192.0.2.1') =>
    sightings.look({ ip, headers: { authorization, origin: 'https://shop.example' } } as FastifyRequest)
  return { clock, counted, lines, send, flushed: sightings.flushed }
}

const invented = () => `Bearer ${newSecret('rc_at_')}`

describe('What a page sends costs little (ACC-34)', () => {
  test('a text that cannot be a secret key or an access token costs no query', async () => {
    const { counted, send, flushed } = watched()
    const texts = [
      ...['Bearer x', 'Basic eDp5', `Bearer ${newSecret('rc_bt_')}`, `Bearer ${newSecret('rc_rt_')}`],
      ...[`Bearer ${newApiKey('production')}`, `Bearer ${newApiKey('staging').slice(0, -1)}0`],
    ]
    for (const text of [undefined, ...texts]) {
      send(text)
      await flushed()
    }
    equal(counted.looks, 0)
    send(`Bearer ${newApiKey('staging')}`, '192.0.2.2')
    await flushed()
    equal(counted.looks, 1)
  })

  test('invented tokens of one address cost ten queries a minute, and do not hide those of another', async () => {
    const { clock, counted, send, flushed } = watched()
    const sendMany = async (ip: string) => {
      for (let call = 0; call < 30; call++) {
        send(invented(), ip)
        await flushed()
      }
    }
    await sendMany('192.0.2.1')
    equal(counted.looks, 10)
    await sendMany('192.0.2.2')
    equal(counted.looks, 20)
    clock.advance(61)
    await sendMany('192.0.2.1')
    equal(counted.looks, 30)
  })

  test('of many addresses at once two queries are under way at most', async () => {
    const found = Promise.withResolvers<null>()
    const { counted, send, flushed } = watched(() => found.promise)
    for (let call = 0; call < 30; call++) send(invented(), `192.0.2.${call}`)
    await Promise.resolve()
    equal(counted.looks, 2)
    found.resolve(null)
    await flushed()
    send(invented())
    await flushed()
    equal(counted.looks, 3)
  })

  test('a look-up that fails is logged without the token, and fails nothing', async () => {
    const { lines, send, flushed } = watched(() => Promise.reject(new Error('the database is away')))
    const sent = invented()
    send(sent)
    await flushed()
    deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['credential of a page not looked up'],
    )
    equal(lines.join().includes(sent.slice(-43)), false)
  })
})
