import { type HashedPassword, newHashedPassword } from '../../server/access/people/password.ts'

let hashed: Promise<HashedPassword> | undefined

/** Of every owner in this process: hashing one takes half of the CPU time of opening a service. */
export function ownerPassword(): Promise<HashedPassword> {
  hashed ??= newHashedPassword()
  return hashed
}
