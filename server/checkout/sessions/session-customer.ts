import { v5 } from 'uuid'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import { customerExists } from '../../customers/customer-queries.ts'
import type { Db } from '../../db/connection.ts'
import { ApiError } from '../../lib/errors.ts'
import type { Session } from './session.ts'

// Who pays is for the merchant's server to say: with an access token, or with a browser token that it bound. Whatever comes from
// a page or a form was typed by anybody, and identifies nobody.

type NamedCustomer = Pick<Session, 'customerId' | 'customerEmail' | 'customerNamedBy'>

interface CustomerInput {
  customer_id?: string
  customer_email?: string
}

/** Whom a create request names. A bound browser token says it all, whatever the page says. */
export function namedCustomer({ browserToken }: CreatorCaller, input: CustomerInput): NamedCustomer {
  const { customer_id: customerId = null, customer_email: customerEmail = null } = input
  if (browserToken === null) return { customerId, customerEmail, customerNamedBy: 'merchant' }
  const { customer } = browserToken
  if (customer === null) return { customerId: null, customerEmail, customerNamedBy: 'payer' }
  return { customerId: customer.id, customerEmail: customer.email, customerNamedBy: 'merchant' }
}

export function checkCustomer(caller: CreatorCaller, input: CustomerInput): Record<string, string[]> {
  const { browserToken } = caller
  if (browserToken && !browserToken.customer && input.customer_id !== undefined)
    return { customer_id: ['is not for a page to say; bind the browser token to the customer on your server'] }
  const { customerId, customerEmail } = namedCustomer(caller, input)
  if (customerId !== null || customerEmail !== null) return {}
  return { customer_email: ['is required when customer_id is absent'] }
}

/**
 * The customer of a bound browser token was looked up when that was made.
 *
 * @throws ApiError `not_found`
 */
export async function requireCustomer(
  { db }: { db: Db },
  { business, browserToken }: CreatorCaller,
  { customer_id: id }: CustomerInput,
): Promise<void> {
  if (browserToken !== null || id === undefined || (await customerExists(db, business.id, id))) return
  throw new ApiError('not_found', {
    message: 'No such customer',
    errors: { customer_id: ['does not exist in this business'] },
  })
}

/** Only a customer whom the merchant named gets a card saved, is told of one that is saved already. */
export const savesCards = ({ customerNamedBy }: Pick<Session, 'customerNamedBy'>): boolean =>
  customerNamedBy === 'merchant'

/** Whose stored cards the session shows and charges: named by the merchant, and by id. */
export const cardOwnerOf = (session: Pick<Session, 'customerId' | 'customerNamedBy'>): string | null =>
  savesCards(session) ? session.customerId : null

/** What the public paths call the payer: the session's own id, which tells nothing of the merchant's customers. */
export const payerIdOf = ({ id }: Pick<Session, 'id'>): string => v5('payer', id)

/** Whom the payment makes, or is recorded for, when the session has no customer yet. */
export interface SessionPayer {
  email: string | null
  name: string | null
  phone: string | null
}

/** The merchant's e-mail is not overruled by the one on the form, and a typed name belongs to the typed e-mail. */
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
