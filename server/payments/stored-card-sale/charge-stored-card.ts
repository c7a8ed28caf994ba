import type { SavedCardSale, SavedCardSaleResponse } from '../../../contract/saved-card-sale.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { findTerminal } from '../../businesses/terminal-queries.ts'
import { openStoredCard } from '../../customers/open-stored-card.ts'
import type { StoredCredential } from '../../gateway/gateway.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { centsFromDecimal } from '../../lib/money.ts'
import type { Card } from '../../vault/card.ts'
import { afterIntent, beforeIntent } from '../charge/around-intent.ts'
import { writeDownSale } from '../charge/record-intent.ts'
import { type SaleServices, sendSale } from '../charge/send-sale.ts'
import { newSale } from '../new-operation.ts'
import { recordSaleResult, type StoredCardSale } from './record-sale-result.ts'
import { beginStoredCardSale, type KeyedRequest } from './sale-queries.ts'
import { knownResponse, readKey, saleInProgress } from './sale-request.ts'

export interface SaleOrder {
  business: Business
  customerId: string
  body: SavedCardSale
  idempotencyKey: string | null
}

/**
 * Charges a stored card, its customer being away. In three steps like a payment on a session: the intent is written down, the
 * gateway is asked, the response is written down. An approval after silence is reversed, because the merchant was told no.
 *
 * @throws ApiError `validation_failed`, `not_found`, `payment_in_progress`, `gateway_timeout`, `gateway_unavailable`
 * @see spec «Saved-card sale», contract 5, reliability.md 3.6
 */
export async function sellToStoredCard(services: SaleServices, order: SaleOrder): Promise<SavedCardSaleResponse> {
  const { business, customerId, body } = order
  const request = readKey(order.idempotencyKey, { customerId, body, now: services.clock.now() })
  const given = await knownResponse(services.db, business.id, request)
  if (given) return given

  const sale = await beforeIntent(services, async () =>
    writeIntent(services, order, await openCard(services, order), request),
  )
  if (!sale) return explainBlocked(services, order, request)
  return afterIntent(services, sale.operation, async () => {
    const { card } = sale
    const result = await sendSale(services, sale.operation, {
      card,
      customer: { ...(body.ip_address && { ip: body.ip_address }), ...(card.nameOnCard && { name: card.nameOnCard }) },
      storedCredential: storedCredentialOf(card),
    })
    return recordSaleResult(services, sale, result)
  })
}

function openCard(services: SaleServices, { business, customerId, body }: SaleOrder): Promise<Card> {
  if (!isUuid(customerId)) throw new ApiError('not_found', { message: 'No such customer' })
  const now = businessNow(services.clock, business)
  return openStoredCard(services, { businessId: business.id, customerId, cardId: body.cardId, now })
}

/** @returns `null` when somebody was faster: with the same key, with an identical sale, or by detaching the card */
async function writeIntent(
  services: SaleServices,
  { business, customerId, body }: SaleOrder,
  card: Card,
  request: KeyedRequest | null,
): Promise<StoredCardSale | null> {
  const { db, clock, timings, vault } = services
  const terminal = await findTerminal(db, business.id, business.currency)
  const amount = centsFromDecimal(body.amount)
  if (!terminal || amount === null) throw new Error('A business without its terminal, or an amount that is none')
  const operation = newSale(
    {
      businessId: business.id,
      sessionId: null,
      terminal,
      amount,
      card: { ...card, fingerprint: vault.fingerprint(business.id, card.number).value },
      storedCard: { id: body.cardId, customerId },
    },
    clock.now(),
    timings,
  )
  const begun = await writeDownSale(services, operation, () => beginStoredCardSale(db, operation, request))
  return begun === null ? null : { operation, card, business, customerId, key: request?.key ?? null }
}

async function explainBlocked(
  services: SaleServices,
  order: SaleOrder,
  request: KeyedRequest | null,
): Promise<SavedCardSaleResponse> {
  const given = await knownResponse(services.db, order.business.id, request)
  if (given) return given
  await openCard(services, order)
  throw saleInProgress()
}

/** The merchant charges, at no fixed time; the networks find the cardholder's agreement by the first payment's id. */
function storedCredentialOf({ stored }: Card): StoredCredential {
  const networkTransactionId = stored?.networkTransactionId
  return {
    initiator: 'merchant',
    reason: 'unscheduled',
    initial: false,
    ...(networkTransactionId && { networkTransactionId }),
  }
}
