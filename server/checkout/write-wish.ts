import { isDatabaseAway } from '../http/error-response.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { newMerchantRef, timesFrom } from '../payments/new-operation.ts'
import { settle } from '../payments/operation-queries.ts'
import { paymentInProgress, refuseClosed } from './find-payable.ts'
import { beginSale, type PayerInput } from './payment-queries.ts'
import type { PayServices, PendingSale } from './pending-sale.ts'
import { findSessionByToken } from './session-queries.ts'
import { sessionTokenHash } from './session-token.ts'

const UNIQUE_VIOLATION = '23505'

/**
 * Step 1 of a payment: what is going to be asked of the gateway, written down before the first byte is sent.
 *
 * @throws ApiError the closed states, `payment_in_progress`
 */
export async function writeWish(
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
    storedCard: card.stored && sale.customerId ? { id: card.stored.id, customerId: sale.customerId } : null,
    ...timesFrom(clock.now(), timings),
  }
  faults.reach('before:intent_commit')
  const attemptCount = await beginSale(db, { session, operation: wish, payer, now: open.now }).catch(
    async (error: unknown) => {
      if ((error as { code?: string }).code === UNIQUE_VIOLATION) return null
      if (isDatabaseAway(error)) await takeBack(services, wish)
      throw error
    },
  )
  if (attemptCount === null) throw await whyNot(services, open.token)
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
  return { ...sale, open: { ...open, session: { ...session, attemptCount } }, operation: { ...wish, ...row } }
}

/**
 * The database went away, so the wish may be written down or not (reliability.md R10). Nothing will be sent: where it can be
 * said now the payer may try again at once, and where not the resolver finds it.
 */
async function takeBack({ db, clock }: PayServices, { businessId, id }: { businessId: string; id: string }) {
  const fence = { businessId, operationId: id, epoch: 1 }
  await settle(db, { ...fence, from: ['SENT'], to: 'NOT_SENT', now: clock.now() }).catch(() => {})
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
