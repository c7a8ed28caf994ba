import { ApiError } from '../../lib/errors.ts'
import type { Cents } from '../../lib/money.ts'
import { writeDownSale } from '../../payments/charge/record-intent.ts'
import { newSale } from '../../payments/new-operation.ts'
import { paymentInProgress, refuseClosed } from '../sessions/load-session.ts'
import type { Session } from '../sessions/session.ts'
import { findSessionByToken } from '../sessions/session-queries.ts'
import { sessionTokenHash } from '../sessions/session-token.ts'
import type { PayServices, PendingSale } from './pending-sale.ts'
import { beginSale, type PayerInput } from './session-charge-queries.ts'

/**
 * Step 1 of a payment: what is going to be asked of the gateway, written down before the first byte is sent.
 *
 * @throws ApiError the closed states, `payment_in_progress`
 */
export async function writeIntent(
  services: PayServices,
  sale: Omit<PendingSale, 'operation'>,
  { payer, payerIpPrefix }: { payer: PayerInput; payerIpPrefix: string },
): Promise<PendingSale> {
  const { db, clock, timings, vault } = services
  const { open, card } = sale
  const { session, terminal } = open
  const operation = newSale(
    {
      businessId: session.businessId,
      sessionId: session.id,
      terminal,
      amount: (session.amountTotal + sale.surchargeAmount) as Cents,
      card: { ...card, fingerprint: vault.fingerprint(session.businessId, card.number).value },
      storedCard: card.stored && sale.customerId ? { id: card.stored.id, customerId: sale.customerId } : null,
      payerIpPrefix,
    },
    clock.now(),
    timings,
  )
  const begin = () => beginSale(db, { session, operation, payer, now: open.now })
  const attemptCount = await writeDownSale(services, operation, begin)
  if (attemptCount === null) throw await explainBlocked(services, open.token)
  return { ...sale, open: { ...open, session: { ...withInput(session, payer), attemptCount } }, operation }
}

/** As beginSale has written it: what is not given stays as it was. */
function withInput(session: Session, { consent, billingAddress, shippingAddress }: PayerInput): Session {
  return {
    ...session,
    consent: consent ?? session.consent,
    billingAddress: billingAddress ?? session.billingAddress,
    shippingAddress: shippingAddress ?? session.shippingAddress,
  }
}

/** Somebody was faster, or time has passed: the session says which. */
async function explainBlocked({ db, clock }: PayServices, token: string): Promise<ApiError> {
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
