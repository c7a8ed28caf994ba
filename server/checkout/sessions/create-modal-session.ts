import type { ModalSessionCreate } from '../../../contract/modal-session.ts'
import type { CreatorCaller } from '../../access/tokens/browser-token.ts'
import { businessNow } from '../../businesses/business.ts'
import { checkAmounts, checkBrowserAmount, checkOrigins, checkSurcharge, requireValid } from './check-new-session.ts'
import { type CreateServices, newSession, openSession } from './new-session.ts'
import type { Session } from './session.ts'
import { checkCustomer, requireCustomer } from './session-customer.ts'

/**
 * Creates a session for the compact payment modal. It has no URLs of its own: the modal notifies the page that opened
 * it. A payer who opens the link outside a page returns to the client's registered URL.
 *
 * @param origin the request's `Origin` header; servers send none
 * @throws ApiError `validation_failed`, `origin_mismatch`, `not_found` (unknown customer)
 * @see CHK-6, CHK-17
 */
export async function createModalSession(
  services: CreateServices,
  { caller, origin, input }: { caller: CreatorCaller; origin: string | null; input: ModalSessionCreate },
): Promise<{ session: Session; token: string }> {
  const { business, redirectUrl } = caller
  const urls = { success_url: redirectUrl, cancel_url: redirectUrl }
  const errors = {
    ...checkAmounts({ ...input, ...urls }),
    ...checkBrowserAmount(caller, input.amount_total),
    ...checkCustomer(caller, input),
    ...checkSurcharge(input, business),
  }
  requireValid(errors, checkOrigins(urls, { origin, redirectUrl }))
  await requireCustomer(services, caller, input)
  const now = businessNow(services.clock, business)
  const session = newSession({ ...input, ...urls }, caller, now, services.keyring.currentId)
  return openSession(services, caller, { ...session, uiMode: 'rapid' })
}
