import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'

export type Action = 'retry' | 'resume' | 'pause' | 'card' | 'edit' | 'cancel'

/** Why an action that is shown is not possible now. */
export type Block =
  | 'no_bill'
  | 'paused_block'
  | 'charging_block'
  | 'card_detached_block'
  | 'card_blocked'
  | 'contract_unsigned'
  | 'pause_scheduled'
  | 'cancel_scheduled'

export interface OfferedAction {
  action: Action
  block: Block | null
}

/** Returns the actions that a person may take in the subscription's state, and why some are not possible now. */
export function actionsOf(of: SubscriptionPage, may: { write: boolean; retry: boolean }): OfferedAction[] {
  const { status, retry_count, view } = of
  const isRunning = status === 'active' || status === 'paused'
  const isRetried = view.queue?.status === 'PENDING' || retry_count > 0 || view.is_charging
  const shown: [Action, boolean, Block | null][] = [
    ['retry', may.retry && (status === 'paused' || (status === 'active' && isRetried)), retryBlock(of)],
    ['resume', may.write && status === 'paused', view.is_charging ? 'charging_block' : null],
    ['pause', may.write && status === 'active', pauseBlock(of)],
    ['card', may.write && isRunning, null],
    ['edit', may.write, null],
    ['cancel', may.write && (isRunning || status === 'pending_payment_method'), null],
  ]
  return shown.flatMap(([action, isShown, block]) => (isShown ? [{ action, block }] : []))
}

function retryBlock({ status, contract, view }: SubscriptionPage): Block | null {
  if (status === 'paused') return 'paused_block'
  if (view.is_charging) return 'charging_block'
  if (view.queue?.status !== 'PENDING') return 'no_bill'
  if (contract !== null && contract.status !== 'signed') return 'contract_unsigned'
  if (view.card === null || view.card.is_detached) return 'card_detached_block'
  return view.card.charge_block === null ? null : 'card_blocked'
}

function pauseBlock({ pause_at, cancel_at_period_end }: SubscriptionPage): Block | null {
  if (cancel_at_period_end) return 'cancel_scheduled'
  return pause_at === null ? null : 'pause_scheduled'
}
