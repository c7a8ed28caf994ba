import { randomBytes } from 'node:crypto'
import { hashPassword, verifyPassword } from '@better-auth/utils/password'

// Password hashing (scrypt) of better-auth. The dashboard and the password grant check the same hash.

export { hashPassword }

let decoy: Promise<string> | undefined

/** @param hash `null` for an unknown user: the same work is done, and the result is `false` */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  // The decoy is made even if it is not needed, so that the first response after a start reveals nothing either.
  decoy ??= hashPassword(newPassword())
  const decoyHash = await decoy
  const against = hash ?? decoyHash
  const matches = await verifyPassword(against, password)
  return matches && hash !== null
}

/** Creates a password of 144 random bits, for people to paste. */
const newPassword = (): string => randomBytes(18).toString('base64url')

export interface HashedPassword {
  password: string
  hash: string
}

export async function newHashedPassword(): Promise<HashedPassword> {
  const password = newPassword()
  return { password, hash: await hashPassword(password) }
}
