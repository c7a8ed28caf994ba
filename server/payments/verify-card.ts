import type { FastifyBaseLogger } from 'fastify'
import type { Terminal } from '../businesses/terminal.ts'
import { assertNoTransaction } from '../db/transaction.ts'
import type { DeclinedResult, StoredCredential, VerificationResult } from '../gateway/gateway.ts'
import type { PayerProof } from '../three-d-secure/payer-proof.ts'
import type { Card } from '../vault/card.ts'
import type { Gateways } from './call-gateway.ts'
import { cardSource } from './card-source.ts'
import { type CheckPolicy, policyRefusal } from './check-policy.ts'
import { newMerchantRef } from './new-operation.ts'
import type { GatewayTimings } from './operation.ts'

export type CardVerification =
  /** `null` when the gateway gave no id, or cannot verify cards: the card is accepted unverified. */
  | { outcome: 'verified'; networkTransactionId: string | null }
  | Pick<DeclinedResult, 'outcome' | 'code' | 'message' | 'advice'>
  /** The gateway gave no usable response. No money can have moved, so it may be repeated. */
  | { outcome: 'unavailable' }

/**
 * Verifies a card for a zero amount, for a charge that comes later. Stores nothing about the verification.
 *
 * @see SUB-2
 */
export async function verifyCard(
  { gateways, timings, log }: { gateways: Gateways; timings: GatewayTimings; log: FastifyBaseLogger },
  verified: {
    businessId: string
    terminal: Terminal
    card: Card
    proof?: PayerProof | null
    storedCredential: StoredCredential
    /** Policy that the verification must satisfy; absent or `null` if every verification counts. */
    checkPolicy?: CheckPolicy | null
  },
): Promise<CardVerification> {
  const { businessId, terminal, card, proof, storedCredential, checkPolicy = null } = verified
  assertNoTransaction('The gateway')
  const gateway = gateways(terminal.gateway)
  if (!gateway.capabilities.verification) return { outcome: 'verified', networkTransactionId: null }
  const result = await gateway
    .verify({
      terminal: { id: terminal.merchantCode, currency: terminal.currency },
      merchantRef: newMerchantRef(businessId),
      ...cardSource(card, proof),
      ...(card.nameOnCard && { customer: { name: card.nameOnCard } }),
      storedCredential,
      signal: AbortSignal.timeout(timings.responseMs),
    })
    .catch((error: unknown): VerificationResult => ({ outcome: 'unknown', message: String(error) }))
  if (result.outcome !== 'approved') log.info({ businessId, outcome: result.outcome }, 'a card was not verified')
  return verificationOf(result, checkPolicy)
}

function verificationOf(result: VerificationResult, checkPolicy: CheckPolicy | null): CardVerification {
  switch (result.outcome) {
    case 'approved': {
      // Nothing is held, so nothing is reversed.
      const refusal = policyRefusal(checkPolicy, result)
      if (refusal) return { outcome: 'declined', ...refusal, advice: 'correct_data' }
      return { outcome: 'verified', networkTransactionId: result.networkTransactionId ?? null }
    }
    case 'declined': {
      const { code, message, advice } = result
      return { outcome: 'declined', code, message, advice }
    }
    case 'refused':
      // An invalid request means invalid card data, as for a sale. Any other refusal is our error.
      if (result.reason !== 'invalid_request') return { outcome: 'unavailable' }
      return { outcome: 'declined', code: 'ND', message: result.message, advice: 'none' }
    case 'not_sent':
    case 'unknown':
      return { outcome: 'unavailable' }
  }
}
