import type { CardSource, SaleRequest } from '../gateway/gateway.ts'
import type { PayerProof } from '../three-d-secure/payer-proof.ts'
import type { Card } from '../vault/card.ts'

/**
 * Returns the card of a gateway request, and the proof that the cardholder is paying. Outside the vault, this is the
 * only place that reveals these secrets for a gateway request.
 */
export function cardSource(
  card: Card,
  proof: PayerProof | null = null,
): Pick<SaleRequest, 'source' | 'cvv' | 'billing' | 'threeDs'> {
  const { cvv, place, line1 } = card
  return {
    source: sourceOf(card),
    ...(cvv && { cvv: cvv.reveal() }),
    billing: { ...(place.postalCode && { postalCode: place.postalCode }), ...(line1 && { line1 }) },
    ...(proof && { threeDs: threeDsOf(proof) }),
  }
}

function sourceOf({ number, expMonth, expYear, wallet }: Card): CardSource {
  const shared = { number: number.reveal(), expMonth, expYear }
  if (!wallet?.proof) return { kind: 'pan', ...shared }
  const { cryptogram, eci } = wallet.proof
  return { kind: 'network_token', wallet: wallet.kind, ...shared, cryptogram: cryptogram.reveal(), ...(eci && { eci }) }
}

function threeDsOf({ messageVersion, transStatus, eci, value, dsTransactionId, serverTransactionId }: PayerProof) {
  return {
    version: messageVersion,
    transStatus,
    serverTransactionId,
    ...(eci && { eci }),
    ...(value && { cavv: value.reveal() }),
    ...(dsTransactionId && { dsTransactionId }),
  }
}
