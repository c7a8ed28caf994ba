import type { ReactNode } from 'react'
import type { PaidThrough, SubscriptionPage as Shown } from '../../../contract/dashboard/subscription-views.ts'
import { Card, Fields, JsonView } from '../../kit/detail.tsx'
import { FREQUENCY_TEXTS } from '../../kit/frequency-texts/frequency-texts.ts'
import { AppLink, usePathParam } from '../../kit/links.tsx'
import { useSlow } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, DayRange, Instant } from '../../kit/time.tsx'
import { AttemptMarks } from './attempt-marks.tsx'
import { DoneCard } from './done-card.tsx'
import { BillsCard, EventsCard, LettersCard, PausesCard } from './history-cards.tsx'
import { LinkCard } from './link-card.tsx'
import { SubscriptionActions, UnavailableActions } from './subscription-actions.tsx'
import { SubscriptionBars } from './subscription-bars.tsx'
import { TEXTS } from './texts/texts.ts'
import { CardText, DayAt, SubscriptionStatus, useReasonText } from './words.tsx'
import './subscriptions.css'

const EVERY_MS = 15_000

export default function SubscriptionPage() {
  const t = useTexts(TEXTS)
  const id = usePathParam('id')
  const { data, error, isPending, refetch } = useRead('GET /subscriptions/{id}', {
    params: { id },
    every: EVERY_MS,
    background: true,
  })
  const isSlow = useSlow(isPending)
  const breadcrumbs = [{ label: t.subscriptions, to: 'subscriptions' }]
  if (!data)
    return (
      <Page title={t.subscription} breadcrumbs={breadcrumbs}>
        {error && <Refusal error={error} onRetry={() => void refetch()} />}
        {isSlow && <div className="card skeleton-card" />}
      </Page>
    )
  return (
    <Page
      title={data.view.description || t.subscription}
      badge={<SubscriptionStatus of={data} />}
      actions={<SubscriptionActions of={data} />}
      breadcrumbs={breadcrumbs}
    >
      <UnavailableActions of={data} />
      <SubscriptionBars of={data} />
      <div className="split">
        <ScheduleCard of={data} />
        <MoneyCard of={data} />
      </div>
      {data.view.queue && (
        <Card title={t.attempts}>
          <p>{t.attemptsText}</p>
          <AttemptMarks marks={data.view.queue.marks} />
        </Card>
      )}
      {NEEDS_CARD.includes(data.status) && <LinkCard of={data} />}
      <BillsCard of={data} />
      {data.view.pauses.length > 0 && <PausesCard of={data} />}
      <div className="cards">
        <LettersCard of={data} />
        <EventsCard of={data} />
      </div>
      <DoneCard of={data} />
      <AsJson of={data} />
    </Page>
  )
}

/** Statuses in which the customer can enter a card. */
const NEEDS_CARD = ['pending_payment_method', 'active', 'paused']

function AsJson({ of: { version: _version, view: _view, ...document } }: { of: Shown }) {
  return <JsonView path={`GET /api/v1/subscriptions/${document.id}`} document={document} events={document.id} />
}

function ScheduleCard({ of }: { of: Shown }) {
  const t = useTexts(TEXTS)
  const words = useTexts(FREQUENCY_TEXTS)
  const ended = useEnded(of)
  const { view } = of
  const { customer, period } = view
  return (
    <Card title={t.schedule}>
      <Fields
        items={[
          [
            t.customer,
            <AppLink key="customer" to={`customers/${customer.id}`}>
              {customer.name ?? customer.email ?? t.noName}
            </AppLink>,
          ],
          [t.what, <Sold key="sold" of={of} />],
          [t.frequency, words[view.frequency.label]],
          [t.card, <CardText key="card" card={view.card} />],
          [t.nextBill, view.next_billing_date && <Day of={view.next_billing_date} />],
          [t.period, period && <DayRange key="period" {...period} />],
          [t.paidThrough, paidThroughText(view)],
          [t.start, <Day key="start" of={of.start_date} />],
          ...ended,
          [
            t.paidBills,
            of.installments === null ? of.installments_billed : `${of.installments_billed} / ${of.installments}`,
          ],
          [t.contract, <ContractLink key="contract" of={of} />],
          [t.reference, view.reference],
          ...metadataOf(of),
          [t.zone, view.time_zone],
          [t.version, of.version],
        ]}
      />
    </Card>
  )
}

function paidThroughText({ paid_through: day, paid_through_at: at }: PaidThrough): ReactNode {
  return at === null ? day && <Day of={day} /> : <Instant at={at} />
}

/** Products with quantity and unit price. */
function Sold({ of: { view, currency } }: { of: Shown }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  return (
    <ul className="plain-list">
      {view.sold.map(({ product, price, name, quantity, unit_amount: amount }) => (
        <li key={price}>
          <AppLink to={`products/${product}`}>{name || t.noName}</AppLink>
          {` ${quantity} × ${money(amount, currency.toUpperCase())}`}
        </li>
      ))}
    </ul>
  )
}

/** Returns when and why the subscription ended, or will end. */
function useEnded({ ended_at: at, cancellation_details: details, view }: Shown): [string, ReactNode][] {
  const t = useTexts(TEXTS)
  const reasonText = useReasonText()
  const { comment = null, reason = null } = details ?? {}
  const why = [reasonText(reason), comment].filter(Boolean).join(' · ')
  return [
    ...(at === null
      ? []
      : ([[t.endedOn, <DayAt key="ended" at={at} zone={view.time_zone} />]] as [string, ReactNode][])),
    ...(why === '' ? [] : ([[t.cancelReason, why]] as [string, ReactNode][])),
  ]
}

const metadataOf = ({ metadata: { reference: _reference, ...others } }: Shown) =>
  Object.entries(others).map(([name, value]): [string, ReactNode] => [name, String(value)])

const LINKABLE: readonly Shown['status'][] = ['pending_payment_method', 'active', 'paused']

/** The contract, or a link to create one if none can be signed. */
function ContractLink({ of: { id, customer, status, contract, view } }: { of: Shown }) {
  const t = useTexts(TEXTS)
  const mayWrite = useMay('contracts.write')
  const isOpen = LINKABLE.includes(status) && (contract === null || contract.status === 'void')
  return (
    <span className="stack-tight">
      {contract ? (
        <AppLink to={`contracts/${contract.id}`}>
          {`${view.contract_title ?? t.contract} (${t[`contract_${contract.status}`]})`}
        </AppLink>
      ) : (
        <span>–</span>
      )}
      {isOpen && mayWrite && (
        <AppLink to={`contracts/new?customer=${customer}&subscription=${id}`}>{t.writeContract}</AppLink>
      )}
    </span>
  )
}

function MoneyCard({ of: { view, currency } }: { of: Shown }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const { base, tax, surcharge, total } = view.amounts
  const text = (cents: number) => money(cents, currency.toUpperCase())
  return (
    <Card title={t.money}>
      <dl className="figures">
        <dt>{t.base}</dt>
        <dd>{text(base)}</dd>
        <dt>{t.tax}</dt>
        <dd>{text(tax)}</dd>
        <dt>{t.surcharge}</dt>
        <dd>{text(surcharge)}</dd>
        <dt className="sum">{t.total}</dt>
        <dd className="sum">{text(total)}</dd>
      </dl>
    </Card>
  )
}
