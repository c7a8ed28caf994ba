import type { PayFailure, PaySuccess } from '../../contract/checkout-form.ts'
import { findCustomerByEmail } from '../customers/customer-queries.ts'
import { findSameCard } from '../customers/stored-card-queries.ts'
import type { GatewayResult, StoredCredential } from '../gateway/gateway.ts'
import { ApiError } from '../lib/errors.ts'
import { askGateway } from '../payments/ask-gateway.ts'
import { settleByLateAnswer } from '../payments/settle-doubt.ts'
import type { Card } from '../vault/card.ts'
import { chooseCard } from './choose-card.ts'
import { findPayable, type OpenSession, paymentInProgress } from './find-payable.ts'
import type { PayRequest } from './pay-request.ts'
import { keepsCard, type PayServices, type PendingSale } from './pending-sale.ts'
import { readPayRequest } from './read-pay-request.ts'
import { writePayAnswer } from './write-pay-answer.ts'
import { writeWish } from './write-wish.ts'

/**
 * Pays a session with a card that was typed, or with one that is stored.
 *
 * Three steps, so that no transaction is open while the gateway is asked, and no answer is lost: the wish is written down,
 * the gateway is asked, the answer is written down. What a crash leaves open the resolver finds.
 *
 * @throws ApiError the closed states, `payment_in_progress`, `gateway_timeout`, `gateway_unavailable`, `validation_failed`,
 *   `duplicate_card`
 * @see spec «Pay request and results», architecture «A payment, and how it cannot be lost or doubled»
 */
export async function paySession(
  services: PayServices,
  { token, body, ip }: { token: string; body: PayRequest; ip: string },
): Promise<PaySuccess | PayFailure> {
  const open = await findPayable(services, token)
  const card = await chooseCard(services, open, body)
  const payer = readPayRequest(open, body, ip)
  if (open.paymentInProgress) throw paymentInProgress()
  const customerId = await findPayer(services, open, body.customerId)
  if (card.save) await refuseDuplicate(services, open, card, customerId)

  const sale = await writeWish(services, { open, card, customerId }, payer)
  const result = await askForSale(services, sale, ip)
  return writePayAnswer(services, sale, result)
}

/** The customer it will belong to, as far as known. Anyone may type an id: only the session's own customers count. */
async function findPayer(
  { db }: PayServices,
  { session }: OpenSession,
  named: string | undefined,
): Promise<string | null> {
  const own = session.customerId ?? session.payerCustomerId
  if (named && named !== own) {
    throw new ApiError('not_found', {
      message: 'No such customer of this session',
      errors: { customerId: ['is not of this session'] },
    })
  }
  if (own || !session.customerEmail) return own
  return (await findCustomerByEmail(db, session.businessId, session.customerEmail))?.id ?? null
}

/** Before anything is charged (R11): the same card with the same expiry is on file already. */
async function refuseDuplicate(
  { db, vault }: PayServices,
  { session }: OpenSession,
  card: Card,
  customerId: string | null,
) {
  if (customerId === null || session.uiMode === 'rapid') return
  const fingerprint = vault.fingerprint(session.businessId, card.number)
  const known = await findSameCard(db, { businessId: session.businessId, customerId, fingerprint })
  if (!known || known.expMonth !== card.expMonth || known.expYear !== card.expYear) return
  const { id, brand, last4 } = known
  throw new ApiError('duplicate_card', {
    message: 'This card is already saved. Choose the saved card, or pay without saving it.',
    errors: { cardData: ['is already saved: choose the saved card'] },
    extra: { charged: false, ...(session.customerId && { card: { id, brand, last4 } }) },
  })
}

/** Step 2: asks the gateway. Its answer, or `unknown` after 15 seconds. */
export async function askForSale(services: PayServices, sale: PendingSale, ip: string): Promise<GatewayResult> {
  const { operation, card, open } = sale
  const { session } = open
  const gateway = services.gateways(operation.gateway)
  const result = await askGateway(
    operation,
    (shared) =>
      gateway.sale({
        ...shared,
        amount: operation.amount,
        currency: operation.currency,
        source: { kind: 'pan', number: card.number.reveal(), expMonth: card.expMonth, expYear: card.expYear },
        ...(card.cvv && { cvv: card.cvv.reveal() }),
        billing: { ...(card.postalCode && { postalCode: card.postalCode }), ...(card.line1 && { line1: card.line1 }) },
        customer: {
          ip,
          ...(session.customerEmail && { email: session.customerEmail }),
          ...(card.nameOnCard && { name: card.nameOnCard }),
        },
        ...storedCredentialOf(sale),
      }),
    { ...services, onLateAnswer: (late) => settleByLateAnswer(services, operation, late) },
  )
  services.faults.reach('after:gateway_answer')
  return result
}

/** Card networks want to know when a card begins to be kept, and when a kept one is used again. */
function storedCredentialOf(sale: PendingSale): { storedCredential?: StoredCredential } {
  const { stored } = sale.card
  const shared = { initiator: 'cardholder', reason: 'unscheduled' } as const
  if (!stored) return keepsCard(sale) ? { storedCredential: { ...shared, initial: true } } : {}
  const { networkTransactionId } = stored
  return { storedCredential: { ...shared, initial: false, ...(networkTransactionId && { networkTransactionId }) } }
}
