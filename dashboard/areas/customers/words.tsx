import type { SubscriptionBrief } from '../../../contract/dashboard/subscription-brief.ts'
import { useMoney } from '../../kit/money.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

const TONES = {
  pending_payment_method: 'warn',
  active: 'good',
  paused: 'warn',
  completed: 'plain',
  canceled: 'plain',
  PENDING: 'info',
  COMPLETED: 'good',
  EXPIRED: 'plain',
  CANCELLED: 'plain',
  FAILED: 'bad',
  draft: 'plain',
  sent: 'info',
  signed: 'good',
  void: 'plain',
} as const satisfies Record<string, Tone>

/** Status of an object that belongs to a customer. */
export function StateOf({ state }: { state: keyof typeof TONES }) {
  const t = useTexts(CUSTOMER_TEXTS)
  return <Status tone={TONES[state]}>{t[state]}</Status>
}

/** Returns a function that formats an amount: `$12.00 monthly`. */
export function useAmountText(): (one: SubscriptionBrief) => string {
  const t = useTexts(CUSTOMER_TEXTS)
  const money = useMoney()
  const words: Record<string, string> = {
    'day 1': t.everyDay,
    'week 1': t.everyWeek,
    'week 2': t.everyTwoWeeks,
    'month 1': t.everyMonth,
    'month 3': t.everyQuarter,
    'month 6': t.everyHalfYear,
    'year 1': t.everyYear,
  }
  return ({ amount, currency, interval, interval_count: count }) =>
    `${money(amount, currency)} ${words[`${interval} ${count}`] ?? ''}`.trim()
}
