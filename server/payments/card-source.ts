import type { SaleRequest } from '../gateway/gateway.ts'
import type { Card } from '../vault/card.ts'

/** The card of a request to a gateway: the only place besides the vault where a card's secrets are read. */
export function cardSource({
  number,
  expMonth,
  expYear,
  cvv,
  place,
  line1,
}: Card): Pick<SaleRequest, 'source' | 'cvv' | 'billing'> {
  return {
    source: { kind: 'pan', number: number.reveal(), expMonth, expYear },
    ...(cvv && { cvv: cvv.reveal() }),
    billing: { ...(place.postalCode && { postalCode: place.postalCode }), ...(line1 && { line1 }) },
  }
}
