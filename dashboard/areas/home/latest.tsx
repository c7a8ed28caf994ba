import type { Home } from '../../../contract/dashboard/home-api.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { PaidAmount, PaymentStatus } from '../../kit/payment-cells.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

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
          { id: 'amount', header: t.amount, align: 'end', cell: (payment) => <PaidAmount payment={payment} /> },
          { id: 'status', header: t.status, cell: ({ status }) => <PaymentStatus status={status} /> },
          { id: 'customer', header: t.customer, cell: ({ customer_name: name }) => name ?? t.nobody },
          { id: 'card', header: t.card, cell: ({ card }) => (card ? cardName(card.brand, card.last4) : '–') },
        ]}
      />
    </Card>
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
