import type { Role } from '../../../contract/permissions.ts'
import { credentialHash, credentialHashes, type Keyring } from '../../lib/keyring.ts'

/** An invitation of a person to a business, with a role. It can be used once. */
export interface Invitation {
  id: string
  businessId: string
  /** Invited address, in lower case. */
  email: string
  role: Role
  /** Id of the inviting user. */
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

/** Lifetime of an invitation (DSH-13). */
export const INVITATION_SECONDS = 604_800

export const invitationHash = (keyring: Keyring, code: string): Buffer => credentialHash(keyring, textOf(code))
/** Returns the hashes of a code under all master keys. */
export const invitationHashes = (keyring: Keyring, code: string): Buffer[] => credentialHashes(keyring, textOf(code))

const textOf = (code: string) => `invitation ${code}`
