import { equal, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { DB } from '../../db/tables.ts'
import { systemClock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { createKeyring } from '../../lib/keyring.ts'
import { findByToken } from './load-session.ts'
import { createSessionTokens } from './session-token.ts'

/** Returns services with a database that only counts queries. */
function countingServices(masterKey: Buffer) {
  let queries = 0
  const db = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => ({
          executeQuery: async () => {
            queries += 1
            return { rows: [] }
          },
          streamQuery() {
            throw new Error('streaming is not supported')
          },
        }),
        beginTransaction: async () => {},
        commitTransaction: async () => {},
        rollbackTransaction: async () => {},
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  })
  const sessionTokens = createSessionTokens({ keyring: createKeyring([masterKey]) })
  const merchants = { find: async () => null, knows: async () => false, forget() {} }
  return { services: { db, clock: systemClock, sessionTokens, merchants }, queries: () => queries }
}

const masterKey = randomBytes(32)
const session = { businessId: newId(), id: newId(), tokenKeyId: createKeyring([masterKey]).currentId }
const tokensOf = (key: Buffer) => createSessionTokens({ keyring: createKeyring([key]) })
const token = tokensOf(masterKey).make(session)
const otherKey = randomBytes(32)
const forged = tokensOf(otherKey).make({ ...session, tokenKeyId: createKeyring([otherKey]).currentId })

describe('Loading a session by its token', () => {
  const refused: [what: string, token: string, businessId?: string][] = [
    ['a malformed token', 'abc'],
    ['a token made with another key', forged],
    ['an altered token', `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['the token of another business', token, newId()],
  ]
  for (const [what, text, businessId] of refused) {
    test(`${what} is refused without a query`, async () => {
      const { services, queries } = countingServices(masterKey)
      await rejects(findByToken(services, text, businessId), { code: 'not_found' })
      equal(queries(), 0)
    })
  }

  test('a valid token takes one query', async () => {
    const { services, queries } = countingServices(masterKey)
    await rejects(findByToken(services, token, session.businessId), { code: 'not_found' })
    equal(queries(), 1)
  })
})
