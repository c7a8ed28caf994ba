import Type, { type Static } from 'typebox'
import { Email, Line, Phone } from '../../../contract/formats.ts'
import { validatorOf } from '../../http/schema-validator.ts'
import { findPayable, type LookupServices } from '../sessions/load-session.ts'
import { payerIdOf } from '../sessions/session-customer.ts'
import { recordPayer } from '../sessions/session-queries.ts'

/** CHK-39. */
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
 * Keeps what the payer typed with the session, until a payment is approved. Nobody is looked up: known and unknown e-mails run
 * the same statements, and get the same response with the session's own id for its payer.
 *
 * @throws ApiError the closed states, `not_found`
 */
export async function identifyCustomer(
  services: LookupServices,
  { token, body }: { token: string; body: SessionCustomer },
): Promise<{ id: string; name: string; email: string; phone: string | null }> {
  const { session } = await findPayable(services, token)
  const { name, email, phone = null } = body
  // The payment of a session that is bound by id is that customer's, so that nothing typed is ever needed.
  if (session.customerId === null) await recordPayer(services.db, session, { name, email, phone })
  return { id: payerIdOf(session), name, email, phone }
}
