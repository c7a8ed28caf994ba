import { setChargeBlock } from '../customers/billed-card-queries.ts'
import type { Tx } from '../db/transaction.ts'
import type { DeclinedResult } from '../gateway/gateway.ts'
import type { FoundDecline } from './charge-owner.ts'
import type { Operation } from './operation.ts'

/**
 * The code that blocks the card for charges without the payer; `null` for a decline after which they may follow.
 *
 * @param decline with the advice of the networks, when the gateway passes it on
 * @see BIL-20, GTW-20
 */
export function chargeBlockOf({
  code,
  advice,
}: {
  code: string
  advice?: DeclinedResult['advice'] | undefined
}): string | null {
  return code === 'NC' || advice === 'never' || advice === 'stop_recurring' ? code : null
}

/** Blocks the stored card of a sale whose decline recovery found, if that decline does. */
export async function blockDeclinedCard(
  tx: Tx,
  { businessId, storedCard }: Pick<Operation, 'businessId' | 'storedCard'>,
  decline: FoundDecline,
): Promise<void> {
  const chargeBlock = chargeBlockOf(decline)
  if (chargeBlock !== null && storedCard) await setChargeBlock(tx, businessId, storedCard.id, chargeBlock)
}
