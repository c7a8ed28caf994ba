import Type, { type Static } from 'typebox'
import { Email, Line, Phone } from '../../contract/formats.ts'
import { findOrInsertCustomer } from '../customers/customer-queries.ts'
import { newId } from '../lib/ids.ts'
import { findPayable, type LookupServices } from './find-payable.ts'
import { nameSessionCustomer } from './session-queries.ts'

/** Spec, «Customer-for-session input». */
export const SessionCustomer = Type.Object(
  {
    name: Line(255),
    email: Email(),
    phone: Type.Optional(Phone()),
  },
  { title: 'SessionCustomer' },
)
export type SessionCustomer = Static<typeof SessionCustomer>

/**
 * Says who the payer is. A known e-mail finds its customer and changes nothing of it; the answer repeats what was typed and
 * nothing that was stored, so that an address tells no stranger whose it is.
 *
 * @throws ApiError the closed states, `not_found`
 * @see contract 4, «Public paths»
 */
export async function nameCustomer(
  services: LookupServices,
  { token, body }: { token: string; body: SessionCustomer },
): Promise<{ id: string; created: boolean }> {
  const { session, now } = await findPayable(services, token)
  if (session.customerId !== null) return { id: session.customerId, created: false }
  const { name, email, phone = null } = body
  const made = { businessId: session.businessId, id: newId(), name, email, phone, metadata: {}, createdAt: now }
  const { customer, created } = await findOrInsertCustomer(services.db, made)
  await nameSessionCustomer(services.db, session.businessId, session.id, customer.id)
  return { id: customer.id, created }
}
