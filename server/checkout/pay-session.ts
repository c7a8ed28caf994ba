import type { PayFailure, PaySuccess } from '../../contract/checkout-form.ts'
import { findCustomerByEmail } from '../customers/customer-queries.ts'
import { findSameCard } from '../customers/stored-card-queries.ts'
import type { GatewayResult } from '../gateway/gateway.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { askGateway } from '../payments/ask-gateway.ts'
import { newMerchantRef, timesFrom } from '../payments/new-operation.ts'
import { settleByLateAnswer } from '../payments/settle-doubt.ts'
import type { Card } from '../vault/card.ts'
import { findPayable, type OpenSession, paymentInProgress, refuseClosed } from './find-payable.ts'
import type { PayRequest } from './pay-request.ts'
import { beginSale, type PayerInput } from './payment-queries.ts'
import { keepsCard, type PayServices, type PendingSale } from './pending-sale.ts'
import { readPayRequest } from './read-pay-request.ts'
import { findSessionByToken } from './session-queries.ts'
import { sessionTokenHash } from './session-token.ts'
import { writePayAnswer } from './write-pay-answer.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * Pays a session with a card that was typed.
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
  const { card, payer } = readPayRequest(open, body, ip)
  if (open.paymentInProgress) throw paymentInProgress()
  const customerId = await findPayer(services, open, body.customerId)
  if (card.save) await refuseDuplicate(services, open, card, customerId)

  const sale = await writeWish(services, { open, card, customerId }, payer)
  const result = await ask(services, sale, ip)
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

async function writeWish(
  services: PayServices,
  sale: Omit<PendingSale, 'operation'>,
  payer: PayerInput,
): Promise<PendingSale> {
  const { db, clock, timings, vault, faults } = services
  const { open, card } = sale
  const { session, terminal } = open
  const wish = {
    businessId: session.businessId,
    id: newId(),
    kind: 'sale' as const,
    merchantRef: newMerchantRef(session.businessId),
    terminalId: terminal.id,
    sessionId: session.id,
    parentId: null,
    amount: session.amountTotal,
    currency: session.currency,
    card: { ...card, fingerprint: vault.fingerprint(session.businessId, card.number).value },
    ...timesFrom(clock.now(), timings),
  }
  faults.reach('before:intent_commit')
  const begun = await beginSale(db, { session, operation: wish, payer, now: open.now }).catch((error: unknown) => {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false
    throw error
  })
  if (!begun) throw await whyNot(services, open.token)
  faults.reach('after:intent_commit')
  const { gateway, merchantCode } = terminal
  const row = {
    state: 'SENT' as const,
    epoch: 1,
    gateway,
    merchantCode,
    gatewayRef: null,
    inquiries: 0,
    notFoundSince: null,
  }
  return { ...sale, operation: { ...wish, ...row } }
}

/** Somebody was faster, or time has passed: the session says which. */
async function whyNot({ db, clock }: PayServices, token: string): Promise<ApiError> {
  const found = await findSessionByToken(db, sessionTokenHash(token))
  if (!found) return new ApiError('not_found', { message: 'No such session' })
  const now = new Date(clock.now().getTime() + found.business.clockOffsetSeconds * 1000)
  try {
    refuseClosed({ ...found, token, now })
  } catch (refusal) {
    return refusal as ApiError
  }
  return paymentInProgress()
}

async function ask(services: PayServices, sale: PendingSale, ip: string): Promise<GatewayResult> {
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
        cvv: card.cvv.reveal(),
        billing: { ...(card.postalCode && { postalCode: card.postalCode }), ...(card.line1 && { line1: card.line1 }) },
        customer: {
          ip,
          ...(session.customerEmail && { email: session.customerEmail }),
          ...(card.nameOnCard && { name: card.nameOnCard }),
        },
        ...(keepsCard(sale) && {
          storedCredential: { initiator: 'cardholder' as const, reason: 'unscheduled' as const, initial: true },
        }),
      }),
    { ...services, onLateAnswer: (late) => settleByLateAnswer(services, operation, late) },
  )
  services.faults.reach('after:gateway_answer')
  return result
}
