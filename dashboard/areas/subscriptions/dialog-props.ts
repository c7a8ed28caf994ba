import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'

/** What every dialog about a subscription gets. */
export interface DialogProps {
  of: SubscriptionPage
  onClose(): void
  /** Opens the dialog that changes the card instead. */
  onOtherCard(): void
}
