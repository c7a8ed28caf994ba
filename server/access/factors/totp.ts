import { randomBytes } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'

/** How long one code is shown. */
const STEP_MS = 30_000

/** Creates a secret of 120 random bits. The library takes the characters as the key. */
export const newTotpSecret = (): string => randomBytes(15).toString('base64url')

/** Returns what an authenticator app reads from the QR code, and the secret in it for typing. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }) {
  const uri = createOTP(secret).url(issuer, email)
  return { uri, secret: new URL(uri).searchParams.get('secret') ?? '' }
}

/**
 * Finds the time step of a code, one step before and after now included.
 *
 * @returns `null` for a wrong code
 */
export async function totpStepOf(secret: string, code: string, now: Date): Promise<number | null> {
  const digits = code.replace(/[\s-]/g, '')
  const current = Math.floor(now.getTime() / STEP_MS)
  const otp = createOTP(secret)
  let found: number | null = null
  // All three codes are computed, so that the response time reveals nothing.
  for (const step of [current - 1, current, current + 1]) if ((await otp.hotp(step)) === digits) found = step
  return found
}

/** Names the row that the secret of a person's authenticator app is encrypted for. */
export const totpRow = (userId: string): string => `totp ${userId}`
