import { randomBytes } from 'node:crypto'

// better-auth's own hashing (scrypt), so that the dashboard and the password grant check the same hash. Imported on first
// use: it takes longer to load than the rest of the service to start.

const hashing = () => import('better-auth/crypto')

export async function hashPassword(password: string): Promise<string> {
  return (await hashing()).hashPassword(password)
}

let decoy: Promise<string> | undefined

/** @param hash `null` for an unknown user: as much work is done, and the response is no */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  // Made whether it is needed or not, so that the first response after a start tells nothing either.
  decoy ??= hashPassword(newPassword())
  const decoyHash = await decoy
  const against = hash ?? decoyHash
  const matches = await (await hashing()).verifyPassword({ hash: against, password })
  return matches && hash !== null
}

/** 144 random bits, for people to paste. */
export const newPassword = (): string => randomBytes(18).toString('base64url')
