import Type, { type Static } from 'typebox'
import { Email, Line, Phone } from '../../../contract/formats.ts'
import { validatorOf } from '../../http/schema-validator.ts'
import { findPayable, type LookupServices } from '../sessions/load-session.ts'
import { payerIdOf } from '../sessions/session-customer.ts'
import { recordPayer } from '../sessions/session-queries.ts'

/** Body of the request. @see CHK-39 */
export const SessionCustomer = Type.Object(
  {
    name: Line(255),
    email: Email(),
    phone: Type.Optional(Phone()),
  },
  { title: 'SessionCustomer' },
)
export type SessionCustomer = Static<typeof SessionCustomer>

/** @throws ApiError `validation_failed` */
export const checkSessionCustomer = validatorOf<SessionCustomer>(SessionCustomer)

/**
 * Stores the typed data with the session until a payment is approved. No customer is looked up: known and unknown
 * e-mail addresses run the same statements and get the same response, with an id derived from the session.
 *
 * @throws ApiError an error of a closed state, `not_found`
 */
export async function identifyCustomer(
  services: LookupServices,
  { token, body }: { token: string; body: SessionCustomer },
): Promise<{ id: string; name: string; email: string; phone: string | null }> {
  const { session } = await findPayable(services, token)
  const { name, email, phone = null } = body
  // The payment of a session bound by id belongs to that customer, so typed data is not needed.
  if (session.customerId === null) await recordPayer(services.db, session, { name, email, phone })
  return { id: payerIdOf(session), name, email, phone }
}
