import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/connection.ts'
import { addSeconds } from '../../lib/clock.ts'
import { credentialHash, credentialHashes, type Keyring } from '../../lib/keyring.ts'
import {
  type CodePurpose,
  type CodeSubject,
  deleteCodesOf,
  type FoundCode,
  findCode,
  insertCode,
  takeCode,
} from './one-time-code-queries.ts'

/** Lifetime of a code in seconds, by purpose (DSH-9, DSH-13, DSH-35). */
const SECONDS = {
  set_up: 3_600,
  sign_in_link: 600,
  password_reset: 1_800,
  second_factor: 300,
  totp_register: 600,
  passkey_sign_in: 300,
  passkey_register: 300,
  passkey_step_up: 120,
} as const satisfies Record<CodePurpose, number>

type Context = { db: Db; keyring: Keyring }

/**
 * Creates a code.
 *
 * @returns 32 random bytes in base64url; a newer link to a person ends the older one
 */
export async function createCode({ db, keyring }: Context, subject: CodeSubject, now: Date): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const { purpose, userId } = subject
  if (userId !== null && (purpose === 'password_reset' || purpose === 'sign_in_link')) {
    await deleteCodesOf(db, { userId, purpose })
  }
  const hash = credentialHash(keyring, textOf(purpose, code))
  await insertCode(db, { ...subject, hash, now, expiresAt: addSeconds(now, SECONDS[purpose]) })
  return code
}

interface GivenCode {
  purpose: CodePurpose
  code: string
  /** Session that uses the code; absent before sign-in. */
  sessionId?: string
}

/**
 * Uses up a code.
 *
 * @returns `null` for a code that is unknown, expired, used, or of another session
 */
export function useCode(
  { db, keyring }: Context,
  { purpose, code, sessionId }: GivenCode,
  now: Date,
): Promise<FoundCode | null> {
  const hashes = credentialHashes(keyring, textOf(purpose, code))
  return takeCode(db, { purpose, hashes, sessionId: sessionId ?? null, now })
}

/** Like `useCode`, but the code remains valid. */
export function lookAtCode(
  { db, keyring }: Context,
  { purpose, code, sessionId }: GivenCode,
  now: Date,
): Promise<FoundCode | null> {
  const hashes = credentialHashes(keyring, textOf(purpose, code))
  return findCode(db, { purpose, hashes, sessionId: sessionId ?? null, now })
}

const textOf = (purpose: CodePurpose, code: string) => `one-time ${purpose} ${code}`
