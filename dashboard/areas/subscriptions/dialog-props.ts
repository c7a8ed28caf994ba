import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'

/** Properties of every dialog about a subscription. */
export interface DialogProps {
  of: SubscriptionPage
  onClose(): void
  /** Opens the dialog that changes the card instead. */
  onOtherCard(): void
}
