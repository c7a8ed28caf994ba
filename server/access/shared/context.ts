import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/keyring.ts'

/** Each has its own clients, tokens and allowed addresses; none of them opens the other (ACC-1). */
export type Environment = 'staging' | 'production'

/** What every operation on credentials needs. Credentials live in real time: never give it a test clock's. */
export interface AccessContext {
  db: Db
  keyring: Keyring
  clock: Clock
  environment: Environment
}

/** The same inside an open transaction. */
export type WithTransaction<Context extends { db: Db }, Tx> = Omit<Context, 'db'> & { db: Tx }
