import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/keyring.ts'

/** Each environment has its own clients, tokens and allowed addresses, which are of no use in the other (ACC-1). */
export type Environment = 'staging' | 'production'

/** What every use case of credentials needs. Credentials are valid in real time, so `clock` is never a test clock. */
export interface AccessContext {
  db: Db
  keyring: Keyring
  clock: Clock
  environment: Environment
}

/** A context whose `db` is an open transaction. */
export type WithTransaction<Context extends { db: Db }, Tx> = Omit<Context, 'db'> & { db: Tx }
