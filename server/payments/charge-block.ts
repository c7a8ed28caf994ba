import type { DeclinedResult } from '../gateway/gateway.ts'

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
