import type { Db } from '../../db/connection.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { openText } from '../../lib/sealed-text.ts'
import { acceptStep, countFactorTry, findTotpSecret, forgetFactorTries, takeRecoveryCode } from './factor-queries.ts'
import { recoveryCodeHashes } from './recovery-codes.ts'
import { totpRow, totpStepOf } from './totp.ts'

/** Maximum number of wrong codes before the lock (DSH-35). */
const FACTOR_TRIES_MAX = 5
const LOCK_SECONDS = 900

export interface FactorContext {
  db: Db
  keyring: Keyring
  clock: Clock
}

/**
 * Checks whether a text is a code of the person: an unused one of the authenticator app, or a recovery code, which is
 * used up. After five wrong codes in 15 minutes, every code is refused. Call it outside any transaction, so that a try
 * counts whatever happens next.
 *
 * @see DSH-9, DSH-35
 */
export async function checkSecondFactor(
  { db, keyring, clock }: FactorContext,
  { userId, method, code }: { userId: string; method: 'totp' | 'recovery_code'; code: string },
): Promise<boolean> {
  const now = clock.now()
  const tries = { userId, max: FACTOR_TRIES_MAX, now, forgetBefore: addSeconds(now, -LOCK_SECONDS) }
  if ((await countFactorTry(db, tries)) > FACTOR_TRIES_MAX) return false
  const isRight =
    method === 'totp'
      ? await isNewTotp({ db, keyring }, { userId, code }, now)
      : await takeRecoveryCode(db, userId, recoveryCodeHashes(keyring, code))
  if (isRight) await forgetFactorTries(db, userId)
  return isRight
}

async function isNewTotp(
  { db, keyring }: Pick<FactorContext, 'db' | 'keyring'>,
  { userId, code }: { userId: string; code: string },
  now: Date,
): Promise<boolean> {
  const sealed = await findTotpSecret(db, userId)
  if (sealed === null) return false
  const step = await totpStepOf(openText(keyring, 'seal second factors', totpRow(userId), sealed), code, now)
  return step !== null && acceptStep(db, userId, step)
}
