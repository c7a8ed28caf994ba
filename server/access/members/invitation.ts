import type { Role } from '../../../contract/permissions.ts'
import { credentialHash, credentialHashes, type Keyring } from '../../lib/keyring.ts'

/** Who is asked to join a business, and as what. It is used once. */
export interface Invitation {
  id: string
  businessId: string
  /** In lower case. */
  email: string
  role: Role
  /** A user. */
  invitedBy: string
  createdAt: Date
  expiresAt: Date
}

/** DSH-13. */
export const INVITATION_SECONDS = 604_800

export const invitationHash = (keyring: Keyring, code: string): Buffer => credentialHash(keyring, textOf(code))
/** Under all master keys. */
export const invitationHashes = (keyring: Keyring, code: string): Buffer[] => credentialHashes(keyring, textOf(code))

const textOf = (code: string) => `invitation ${code}`
