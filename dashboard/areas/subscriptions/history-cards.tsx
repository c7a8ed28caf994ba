import type { About } from '../../../contract/dashboard/about.ts'
import type { BillView, SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import type { SubscriptionPause } from '../../../contract/subscription.ts'
import { fill } from '../../../contract/text.ts'
import { AboutLink } from '../../kit/about-link.tsx'
import { Card } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { ResendLetter } from '../../kit/resend-letter.tsx'
import { ScrollingTable } from '../../kit/scrolling.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { DayRange, Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'
import { useReasonText } from './words.tsx'

interface Of {
  of: SubscriptionPage
}

const TONES: Record<BillView['status'], Tone> = { PENDING: 'info', FULFILLED: 'good', CLOSED: 'plain' }

/** All billed periods, newest first. */
export function BillsCard({ of: { view, currency, customer } }: Of) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  return (
    <Card title={t.bills}>
      {view.bills.length === 0 ? (
        <p className="dimmed">{t.noBills}</p>
      ) : (
        <ScrollingTable label={t.billTable}>
          <table>
            <caption className="only-read">{t.bills}</caption>
            <thead>
              <tr>
                {[t.billPeriod, t.status, t.tries, t.payments].map((header) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {view.bills.map((bill) => (
                <tr key={bill.id}>
                  <td>
                    <DayRange {...bill.period} />
                  </td>
                  <td>
                    <BillStatus of={bill} />
                  </td>
                  <td>{bill.tries}</td>
                  <td>
                    <Payments of={bill} text={(amount) => money(amount, currency.toUpperCase())} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollingTable>
      )}
      {view.has_more_bills && (
        <p className="dimmed">
          {t.newestBills} <AppLink to={`payments?customer=${customer}&kind=subscription`}>{t.allPayments}</AppLink>
        </p>
      )}
    </Card>
  )
}

function BillStatus({ of: { status, closed_reason } }: { of: BillView }) {
  const t = useTexts(TEXTS)
  const reason = closed_reason as
    | 'exhausted'
    | 'do_not_retry'
    | 'paused'
    | 'canceled'
    | 'card_detached'
    | 'skipped'
    | null
  if (status === 'CLOSED')
    return <Status tone={reason === 'exhausted' ? 'bad' : 'plain'}>{t[reason ?? 'skipped']}</Status>
  return <Status tone={TONES[status]}>{t[status]}</Status>
}

function Payments({ of: { payments }, text }: { of: BillView; text: (amount: number) => string }) {
  const gateway = useGatewayTexts()
  return (
    <ul className="plain-list">
      {payments.map(({ id, amount, status, code }) => (
        <li key={id}>
          <AppLink to={`payments/${id}`}>{text(amount)}</AppLink>
          <Status tone={status === 'failed' ? 'bad' : 'good'}>{codeText(code, gateway)}</Status>
        </li>
      ))}
    </ul>
  )
}

export function PausesCard({ of: { view } }: Of) {
  const t = useTexts(TEXTS)
  return (
    <Card title={t.pauses}>
      <ul className="plain-list">
        {view.pauses.map((pause) => (
          <li key={pause.id}>
            <span>
              {t.pauseFrom} <Instant at={pause.paused_at} />
              {pause.resumed_at !== null && (
                <>
                  {' · '}
                  {t.resumed} <Instant at={pause.resumed_at} />
                </>
              )}
            </span>
            <PauseReasons pause={pause} />
            <Status tone={pause.status === 'active' ? 'warn' : 'plain'}>{t[`pause_${pause.status}`]}</Status>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Reason of the pause, and what happened to the paid time. */
function PauseReasons({ pause }: { pause: SubscriptionPause }) {
  const t = useTexts(TEXTS)
  const reasonText = useReasonText()
  const { reason, unused_time_behavior: behavior, refund_reference: reference, refund_note: note } = pause
  const time = behavior && fill(t[behavior], { reference: reference ?? '' })
  const texts = [reasonText(reason), time, note].filter(Boolean)
  return <span className="wraps">{texts.join(' · ')}</span>
}

export function LettersCard({ of: { view } }: Of) {
  const t = useTexts(TEXTS)
  return (
    <Card title={t.letters}>
      {view.letters.length === 0 && <p className="dimmed">{t.noLetters}</p>}
      <ul className="plain-list">
        {view.letters.map(({ id, subject, to, created, about, status }) => (
          <li key={id}>
            <div className="grows">
              {subject}
              <div className="dimmed">
                {to} · <Instant at={created} />
                <OtherObject about={about} />
              </div>
              {status === 'failed' && <Status tone="bad">{t.letterFailed}</Status>}
            </div>
            <ResendLetter letter={{ id, subject }} shownBy="GET /subscriptions/{id}" />
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function EventsCard({ of: { view } }: Of) {
  const t = useTexts(TEXTS)
  return (
    <Card title={t.events}>
      {view.events.length === 0 && <p className="dimmed">{t.noEvents}</p>}
      <ul className="plain-list">
        {view.events.map(({ id, type, created, about }) => (
          <li key={id}>
            <span>
              <AppLink to={`events/${id}`}>{type}</AppLink>
              <OtherObject about={about} />
            </span>
            <Instant at={created} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The object of a letter or an event, unless it is the subscription itself. */
function OtherObject({ about }: { about: About | null }) {
  if (about === null || about.type === 'subscription') return null
  return (
    <>
      {' '}
      <span className="nowrap">
        · <AboutLink about={about} />
      </span>
    </>
  )
}
