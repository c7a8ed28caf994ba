import { timingSafeEqual } from 'node:crypto'
import { credentialHash, credentialHashes, type Keyring } from '../../lib/keyring.ts'

// Letters to people contain codes that sign in whoever has them. In staging these letters are in the mailbox, which
// callers on this machine read without signing in. To see such letters they need this key, which only the holder of the
// master key can make (LTR-15).

const NAME = 'mailbox of staging'

/** Returns the link to the mailbox that also shows the letters to people, for the person who runs the service. */
export const mailboxLink = (keyring: Keyring, dashboardUrl: string): string =>
  `${dashboardUrl}/mailbox?key=${credentialHash(keyring, NAME).toString('base64url')}`

export function isMailboxKey(keyring: Keyring, given: string): boolean {
  const key = Buffer.from(given, 'base64url')
  return credentialHashes(keyring, NAME).some((one) => one.length === key.length && timingSafeEqual(one, key))
}
