import { randomBytes } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'

/** In which a code is shown. */
const STEP_MS = 30_000

/** 120 random bits. The library takes the characters as the key. */
export const newTotpSecret = (): string => randomBytes(15).toString('base64url')

/** What an authenticator app reads from the QR code, and the secret in it for typing. */
export function totpUri(secret: string, { issuer, email }: { issuer: string; email: string }) {
  const uri = createOTP(secret).url(issuer, email)
  return { uri, secret: new URL(uri).searchParams.get('secret') ?? '' }
}

/** @returns the time step whose code it is, one before and after now included; `null` for a wrong code */
export async function totpStepOf(secret: string, code: string, now: Date): Promise<number | null> {
  const digits = code.replace(/[\s-]/g, '')
  const current = Math.floor(now.getTime() / STEP_MS)
  const otp = createOTP(secret)
  let found: number | null = null
  // All three are made, so that the time says nothing.
  for (const step of [current - 1, current, current + 1]) if ((await otp.hotp(step)) === digits) found = step
  return found
}

/** Names the place that the secret of a person's authenticator app is sealed for. */
export const totpRow = (userId: string): string => `totp ${userId}`
