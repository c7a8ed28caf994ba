import type { CardView, SubscriptionRow } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { dayIn } from '../../kit/days.ts'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, useDayText } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

const TONES: Record<SubscriptionRow['view']['status'], Tone> = {
  INACTIVE: 'info',
  ACTIVE: 'good',
  PAUSED: 'warn',
  CANCELLED: 'plain',
  completed: 'plain',
}

type Shown = Pick<SubscriptionRow, 'cancel_at' | 'cancel_at_period_end' | 'pause_at'> & {
  view: Pick<SubscriptionRow['view'], 'status' | 'retry' | 'is_charging' | 'is_held' | 'time_zone'>
}

/** The status, with the next scheduled change. */
export function SubscriptionStatus({ of }: { of: Shown }) {
  const t = useTexts(TEXTS)
  return (
    <span className="subscription-status">
      <Status tone={TONES[of.view.status]}>{t[of.view.status]}</Status>
      <Coming of={of} />
    </span>
  )
}

function Coming({ of: { cancel_at, cancel_at_period_end, pause_at, view } }: { of: Shown }) {
  const t = useTexts(TEXTS)
  const dayText = useDayText('medium')
  const day = (at: number) => dayText(dayAt(at, view.time_zone))
  return (
    <>
      {view.is_charging && <Status tone="info">{t.charging}</Status>}
      {view.retry && !view.is_charging && (
        <Status tone="bad">{fill(t.retrying, { attempt: view.retry.attempt, of: view.retry.of })}</Status>
      )}
      {view.is_held && <Status tone="bad">{t.held}</Status>}
      {cancel_at_period_end && cancel_at !== null && (
        <Status tone="warn">{fill(t.cancelsOn, { day: day(cancel_at) })}</Status>
      )}
      {pause_at !== null && <Status tone="warn">{fill(t.pausesOn, { day: day(pause_at) })}</Status>}
    </>
  )
}

/** Returns the local day of an instant as `YYYY-MM-DD`. */
export const dayAt = (epochSeconds: number, timeZone: string): string => dayIn(timeZone, epochSeconds * 1000)

export function DayAt({ at, zone }: { at: number | null; zone: string }) {
  return at === null ? '–' : <Day of={dayAt(at, zone)} />
}

/** Names of brands by the code of a stored card. */
const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

export function useCardText(): (card: Pick<CardView, 'brand' | 'last4' | 'exp_month' | 'exp_year'>) => string {
  const t = useTexts(TEXTS)
  return ({ brand, last4, exp_month, exp_year }) =>
    fill(t.cardText, {
      brand: BRANDS[brand] ?? brand,
      last4,
      month: String(exp_month).padStart(2, '0'),
      year: exp_year,
    })
}

/** The card, with the reason if it may not be charged. */
export function CardText({ card }: { card: CardView | null }) {
  const t = useTexts(TEXTS)
  const text = useCardText()
  const gateway = useGatewayTexts()
  if (card === null) return '–'
  return (
    <span className="stack-tight">
      <span>{text(card)}</span>
      {card.charge_block !== null && (
        <Status tone="bad">
          <span className="wraps">{fill(t.cardBlocked, { code: codeText(card.charge_block, gateway) ?? '' })}</span>
        </Status>
      )}
      {card.is_detached && <Status tone="bad">{t.cardDetached}</Status>}
    </span>
  )
}

/** Returns why it paused or ended: a person's own text, or the text for one of the service's codes. */
export function useReasonText(): (reason: string | null) => string | null {
  const t = useTexts(TEXTS)
  return (reason) => (reason === 'payment_failed' ? t.payment_failed : reason)
}
