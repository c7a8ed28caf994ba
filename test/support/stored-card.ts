import { merchantOf, payBody, payerOf } from './merchant.ts'
import { customerOf, storedCards } from './recorded.ts'
import type { TestService } from './service.ts'

/** The ids of a stored card and its customer. */
export interface StoredCardIds {
  customerId: string
  cardId: string
}

/** Creates a customer with a stored card, by a payment. */
export async function storeCard(
  service: TestService,
  email: string,
  card: Record<string, unknown> & { cardNumber?: string } = {},
): Promise<StoredCardIds> {
  const token = await merchantOf(service).sessionToken({ customer_email: email })
  const { body } = await payerOf(service).pay(token, payBody(card.cardNumber, { saveCard: true, ...card }))
  if (body.ok !== true) throw new Error(`The card was not stored: ${JSON.stringify(body)}`)
  const customer = await customerOf(service, email)
  const stored = (await storedCards(service)).filter((one) => one.customer_id === customer?.id).at(-1)
  if (!customer || !stored) throw new Error('The payment stored nothing')
  return { customerId: customer.id, cardId: stored.id }
}

/** Returns the pay request of the form for a stored card. */
export function savedCardBody(cardId: string, more: Record<string, unknown> = {}) {
  return { payment_method_type: 'saved_card', amount: 25.5, cardId, ...more }
}

/** Charges 12.34 to a stored card, with the given changes to the body. */
export function sellTo(
  service: Pick<TestService, 'url' | 'demo'>,
  { customerId, cardId }: StoredCardIds,
  body: Record<string, unknown> = {},
  key?: string,
) {
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return merchantOf(service).post(`/customer/${customerId}/sale`, { amount: 12.34, cardId, ...body }, headers)
}
