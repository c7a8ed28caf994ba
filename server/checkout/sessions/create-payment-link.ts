import type { CheckoutSessionCreate } from '../../../contract/checkout-session.ts'
import { type Business, businessNow } from '../../businesses/business.ts'
import { checkSurcharge, requireValid } from './check-new-session.ts'
import { type CreateServices, newSession, openSession } from './new-session.ts'
import type { Session } from './session.ts'
import { checkCustomer, requireCustomer } from './session-customer.ts'
import type { Links } from './session-view.ts'

type PaymentLinkInput = Pick<
  CheckoutSessionCreate,
  | 'amount_total'
  | 'customer_id'
  | 'customer_email'
  | 'customer_name'
  | 'description'
  | 'client_reference_id'
  | 'surcharge'
>

/**
 * Creates a hosted session for a person of the business. No OAuth client requests it and no shop waits for the payer,
 * who stays on the page after the payment.
 *
 * @throws ApiError `validation_failed`, `not_found` (unknown customer)
 * @see CHK-56
 */
export async function createPaymentLink(
  services: CreateServices & { links: Links },
  { business, input }: { business: Business; input: PaymentLinkInput },
): Promise<{ session: Session; token: string }> {
  const { keyring, clock, links } = services
  const creator = {
    business,
    clientId: null,
    redirectOrigin: new URL(links.dashboardUrl).origin,
    browserToken: null,
  }
  requireValid({ ...checkCustomer(creator, input), ...checkSurcharge(input, business) }, {})
  await requireCustomer(services, creator, input)
  const given = { ...input, success_url: null, cancel_url: null }
  return openSession(services, creator, newSession(given, creator, businessNow(clock, business), keyring.currentId))
}
