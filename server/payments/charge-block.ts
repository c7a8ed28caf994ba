import { setChargeBlock } from '../customers/billed-card-queries.ts'
import type { Tx } from '../db/transaction.ts'
import type { DeclinedResult } from '../gateway/gateway.ts'
import type { FoundDecline } from './charge-owner.ts'
import type { Operation } from './operation.ts'

/**
 * Returns the code that blocks the card for charges without the payer; `null` if the decline does not rule them out.
 *
 * @param decline with the advice of the card networks, if the gateway passes it on
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

/** Blocks the stored card of a sale, if the decline that recovery found for it blocks cards. */
export async function blockDeclinedCard(
  tx: Tx,
  { businessId, storedCard }: Pick<Operation, 'businessId' | 'storedCard'>,
  decline: FoundDecline,
): Promise<void> {
  const chargeBlock = chargeBlockOf(decline)
  if (chargeBlock !== null && storedCard) await setChargeBlock(tx, businessId, storedCard.id, chargeBlock)
}
