import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import type { NewSubscription } from './new-subscription-form.ts'

/** Properties of each part of the form. */
export interface PartProps {
  form: NewSubscription
  change(changes: Partial<NewSubscription>): void
  /** Errors from the server, by field of the call. */
  errors: Record<string, string>
  /** The existing customer, once it is loaded. */
  customer: CustomerDetail | undefined
}
