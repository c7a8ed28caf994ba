import type { KeyObject } from 'node:crypto'
import type { Card } from '../vault/card.ts'
import { decryptMessage } from './decrypt-message.ts'
import { type PayloadRules, readPayload } from './read-payload.ts'
import { readToken } from './read-token.ts'
import { verifySignatures } from './verify-signatures.ts'

export interface TokenRules extends PayloadRules {
  /** Google's current root keys of ECv2. */
  rootKeys: readonly KeyObject[]
  /** `merchant:<id>` or `gateway:<id>` */
  recipientId: string
  /** Private keys of the recipient; several during a rotation. */
  privateKeys: readonly KeyObject[]
}

/**
 * Verifies and decrypts a `googlePayToken`, and reads its card.
 *
 * @throws TokenRefused, and no other error
 * @see GPY-2 to GPY-7
 */
export function openToken(text: string, rules: TokenRules): Card {
  const token = readToken(text)
  verifySignatures(token, rules)
  return readPayload(decryptMessage(token.signedMessage, rules.privateKeys), rules)
}
