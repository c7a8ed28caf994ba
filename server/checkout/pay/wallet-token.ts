import type { Db } from '../../db/connection.ts'
import type { GooglePay } from '../../google-pay/google-pay.ts'
import { isMessageUsed, useMessage } from '../../google-pay/message-queries.ts'
import { tokenRefusal } from '../../google-pay/token-refused.ts'
import { invalidField } from '../../lib/errors.ts'
import type { Card } from '../../vault/card.ts'
import { findPayable, type LoadedSession, type LookupServices, paymentInProgress } from '../sessions/load-session.ts'

interface WalletServices extends LookupServices {
  db: Db
  googlePay: Pick<GooglePay, 'open'>
}

/** Whether a session accepts Google Pay. Subscriptions and stored cards need a card that can be stored. */
export const takesGooglePay = ({ session, business }: Pick<LoadedSession, 'session' | 'business'>): boolean =>
  session.mode === 'payment' && business.googlePayEnabled

/**
 * Opens a wallet token without using it up; only `consumeWalletToken` does that.
 *
 * @throws ApiError `validation_failed`, `google_pay_unavailable`
 * @see GPY-5, GPY-7
 */
export async function openWalletToken(
  services: WalletServices,
  loaded: LoadedSession,
  token: string | undefined,
): Promise<Card> {
  const { business, now } = loaded
  if (!takesGooglePay(loaded)) {
    throw invalidField('payment_method_type', 'is not available in this session; use new_card or saved_card')
  }
  if (token === undefined) throw invalidField('googlePayToken', 'is required for google_pay')
  const card = await services.googlePay.open(business, token, now)
  const isUsed = card.wallet !== null && (await isMessageUsed(services.db, messageOf(loaded, card.wallet)))
  // A payment in progress of this session may have used it; the caller then reports that instead.
  if (isUsed && !loaded.paymentInProgress) throw await reused(services, loaded)
  return card
}

/**
 * Uses up the token of a wallet card for one charge. It is used up even if the charge is then not sent: the wallet
 * issues another one.
 *
 * @throws ApiError `validation_failed`; an error of a closed state or `payment_in_progress` if another request has paid
 *   with it
 * @see GPY-5
 */
export async function consumeWalletToken(
  services: WalletServices,
  { loaded, card }: { loaded: LoadedSession; card: Card },
): Promise<void> {
  if (card.wallet === null) return
  const isFirst = await useMessage(services.db, messageOf(loaded, card.wallet))
  if (!isFirst) throw await reused(services, loaded)
}

const messageOf = (
  { session: { businessId } }: LoadedSession,
  { messageId, expiresAt }: NonNullable<Card['wallet']>,
) => ({
  businessId,
  messageId,
  expiresAt,
})

async function reused(services: WalletServices, { token }: LoadedSession) {
  const current = await findPayable(services, token)
  return current.paymentInProgress ? paymentInProgress() : tokenRefusal('google_pay_token_reused')
}
