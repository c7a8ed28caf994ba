import type { Home } from '../../../contract/dashboard/home-api.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMoney } from '../../kit/money.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

type LatestPayment = Home['latest_payments'][number]

const TONES: Record<LatestPayment['status'], Tone> = {
  succeeded: 'good',
  partially_refunded: 'info',
  refunded: 'plain',
  voided: 'plain',
  failed: 'bad',
  pending: 'warn',
  reversed: 'plain',
  not_charged: 'plain',
}

export function LatestPayments({ payments }: { payments: Home['latest_payments'] }) {
  const t = useTexts(TEXTS)
  return (
    <Card title={t.latestPayments} actions={<AppLink to="payments">{t.allPayments}</AppLink>}>
      <ListTable
        caption={t.payments}
        rows={payments}
        rowTo={({ id }) => `payments/${id}`}
        columns={[
          { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} /> },
          { id: 'amount', header: t.amount, align: 'end', cell: (payment) => <Amount payment={payment} /> },
          {
            id: 'status',
            header: t.status,
            cell: ({ status }) => <Status tone={TONES[status]}>{t[`payment_${status}`]}</Status>,
          },
          { id: 'customer', header: t.customer, cell: ({ customer_name: name }) => name ?? t.nobody },
          { id: 'card', header: t.card, cell: ({ card }) => (card ? cardName(card.brand, card.last4) : '–') },
        ]}
      />
    </Card>
  )
}

function Amount({ payment: { amount, currency, refunded_amount: refunded } }: { payment: LatestPayment }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  return (
    <>
      {money(amount, currency)}
      {refunded > 0 && <div className="dimmed">{fill(t.refundedOf, { amount: money(refunded, currency) })}</div>}
    </>
  )
}

export function LatestEvents({ events }: { events: Home['latest_events'] }) {
  const t = useTexts(TEXTS)
  return (
    <Card title={t.latestEvents} actions={<AppLink to="events">{t.allEvents}</AppLink>}>
      <ListTable
        caption={t.event}
        rows={events}
        rowTo={({ id }) => `events/${id}`}
        columns={[
          { id: 'type', header: t.event, cell: ({ type }) => <code>{type}</code> },
          { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
        ]}
      />
    </Card>
  )
}
