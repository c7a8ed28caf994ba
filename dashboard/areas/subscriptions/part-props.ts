import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import type { NewSubscription } from './new-subscription-form.ts'

/** What each part of the form gets. */
export interface PartProps {
  form: NewSubscription
  change(changes: Partial<NewSubscription>): void
  /** Of the server, by field of the call. */
  errors: Record<string, string>
  /** The existing customer, once read. */
  customer: CustomerDetail | undefined
}
