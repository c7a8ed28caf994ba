import { v5 } from 'uuid'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import { customerExists } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Session } from './session.ts'

// Only the merchant's server identifies the customer: with an access token, or with a browser token that it bound to
// the customer. Input from a page or a form may come from anyone, so it identifies nobody.

type NamedCustomer = Pick<Session, 'customerId' | 'customerEmail' | 'customerNamedBy'>

interface CustomerInput {
  customer_id?: string
  customer_email?: string
}

/** Returns the customer of a create request. A bound browser token overrides the input from the page. */
export function namedCustomer(
  { browserToken }: Pick<CreatorCaller, 'browserToken'>,
  input: CustomerInput,
): NamedCustomer {
  const { customer_id: customerId = null, customer_email: customerEmail = null } = input
  if (browserToken === null) return { customerId, customerEmail, customerNamedBy: 'merchant' }
  const { customer } = browserToken
  if (customer === null) return { customerId: null, customerEmail, customerNamedBy: 'payer' }
  return { customerId: customer.id, customerEmail: customer.email, customerNamedBy: 'merchant' }
}

export function checkCustomer(
  caller: Pick<CreatorCaller, 'browserToken'>,
  input: CustomerInput,
): Record<string, string[]> {
  const { browserToken } = caller
  if (browserToken && !browserToken.customer && input.customer_id !== undefined)
    return { customer_id: ['cannot be set by a page; bind the browser token to the customer on your server'] }
  const { customerId, customerEmail } = namedCustomer(caller, input)
  if (customerId !== null || customerEmail !== null) return {}
  return { customer_email: ['is required when customer_id is absent'] }
}

/**
 * Checks that the customer of a request exists. The customer of a browser token was checked when the token was created.
 *
 * @throws ApiError `not_found`
 */
export async function requireCustomer(
  { db }: { db: Db },
  { business, browserToken }: Pick<CreatorCaller, 'business' | 'browserToken'>,
  { customer_id: id }: CustomerInput,
): Promise<void> {
  if (browserToken !== null || id === undefined || (await customerExists(db, business.id, id))) return
  throw new ApiError('not_found', {
    message: 'No such customer',
    errors: { customer_id: ['does not exist in this business'] },
  })
}

/** Whether cards are stored, and `duplicate_card` is returned: only for a customer whom the merchant named. */
const savesCards = ({ customerNamedBy }: Pick<Session, 'customerNamedBy'>): boolean => customerNamedBy === 'merchant'

/** Whether every card is stored: in the modal, for a subscription, and if the session only stores a card. */
export const keepsEveryCard = ({ uiMode, mode }: Pick<Session, 'uiMode' | 'mode'>): boolean =>
  uiMode === 'rapid' || mode !== 'payment'

/** Whether a typed card may be stored: a hidden reuse agreement leaves no choice to the payer. @see CUS-4 */
export function mayKeepCard(session: Session): boolean {
  const isHidden = session.consentCollection?.payment_method_reuse_agreement?.position === 'hidden'
  return savesCards(session) && (keepsEveryCard(session) || !isHidden)
}

/** Returns the customer whose stored cards the session shows and charges: only one whom the merchant named by id. */
export const cardOwnerOf = (session: Pick<Session, 'customerId' | 'customerNamedBy'>): string | null =>
  savesCards(session) ? session.customerId : null

/**
 * Returns the payer's id for public paths. It is derived from the session, so it reveals nothing about the merchant's
 * customers.
 */
export const payerIdOf = ({ id }: Pick<Session, 'id'>): string => v5('payer', id)

/** Data of the customer whom the payment finds by e-mail address or creates, if the session has none. */
export interface SessionPayer {
  email: string | null
  name: string | null
  phone: string | null
}

/**
 * Returns the payer of a session. The merchant's e-mail address takes precedence over a typed one, and a typed name
 * belongs to the typed address.
 */
export function sessionPayer(session: Session): SessionPayer {
  const { customerEmail, customerName, payerEmail, payerName, payerPhone } = session
  const isTypedOfIt = payerEmail?.toLowerCase() === customerEmail?.toLowerCase()
  if (payerEmail === null || (savesCards(session) && !isTypedOfIt))
    return { email: customerEmail, name: customerName, phone: null }
  return {
    email: savesCards(session) ? customerEmail : payerEmail,
    name: (isTypedOfIt ? customerName : null) ?? payerName,
    phone: payerPhone,
  }
}
