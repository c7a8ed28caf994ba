import { type HashedPassword, newHashedPassword } from '../../server/access/people/password.ts'

let hashed: Promise<HashedPassword> | undefined

/** Returns the password of every owner in this process: one hash takes half of the CPU time of opening a service. */
export function ownerPassword(): Promise<HashedPassword> {
  hashed ??= newHashedPassword()
  return hashed
}
