import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { credentialHash, type Keyring } from '../../lib/keyring.ts'
import { countTry, deleteOldFailures, forgetFailures } from './sign-in-failure-queries.ts'

/** Limits of ACC-10 and ATT-13. */
export const FAILURES_MAX = 10
export const LOCK_SECONDS = 1_800

type Context = { db: Db; keyring: Keyring; clock: Clock }

/**
 * Counts a try to sign in, before the password is checked. Known and unknown names are counted alike.
 *
 * @returns `null` while the name is locked; otherwise a function to call if the password was right
 */
export async function admitTry({ db, keyring, clock }: Context, name: string): Promise<(() => Promise<void>) | null> {
  const nameHash = credentialHash(keyring, `sign-in ${name}`)
  const now = clock.now()
  const tries = await countTry(db, { nameHash, max: FAILURES_MAX, now, forgetBefore: addSeconds(now, -LOCK_SECONDS) })
  return tries > FAILURES_MAX ? null : () => forgetFailures(db, nameHash)
}

/** Deletes rows that no longer lock anybody. */
export function forgetOldFailures({ db, clock }: Omit<Context, 'keyring'>): Promise<void> {
  return deleteOldFailures(db, addSeconds(clock.now(), -LOCK_SECONDS))
}
