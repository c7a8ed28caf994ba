import { Alert } from '@mantine/core'
import type { BatchFigures, BatchPayment, ListedBatch } from '../../../contract/dashboard/batches-api.ts'
import { fill } from '../../../contract/text.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card, Fields, JsonView } from '../../kit/detail.tsx'
import { Empty } from '../../kit/empty.tsx'
import { usePathParam } from '../../kit/links.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { PaidAmount, PaymentStatus } from '../../kit/payment-cells.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { Brands, FiguresTable } from './figures.tsx'
import { BatchStatus } from './open-batch-card.tsx'
import { TEXTS } from './texts/texts.ts'

export default function BatchPage() {
  const t = useTexts(TEXTS)
  const id = usePathParam('id')
  const { data: batch, error, refetch } = useRead('GET /batches/{id}', { params: { id } })
  const breadcrumbs = [{ label: t.batches, to: 'batches' }]
  return (
    <Page
      title={batch ? fill(t.batch, { number: batch.number }) : t.batches}
      breadcrumbs={breadcrumbs}
      badge={batch && <BatchStatus status={batch.status} />}
    >
      <Refusal error={error} onRetry={() => void refetch()} />
      {batch && <Batch batch={batch} />}
    </Page>
  )
}

function Batch({ batch }: { batch: ListedBatch }) {
  const t = useTexts(TEXTS)
  const currency = batch.currency.toUpperCase()
  const { view, ...object } = batch
  return (
    <>
      {view.difference && <DifferenceAlert batch={batch} difference={view.difference} />}
      <Card title={t.details}>
        <Fields
          items={[
            [t.opened, batch.opened_at && <Instant key="opened" at={batch.opened_at} />],
            [t.settledAt, batch.settled_at && <Instant key="settled" at={batch.settled_at} />],
            [t.reference, batch.settlement_reference && <code key="reference">{batch.settlement_reference}</code>],
            [t.currency, currency],
          ]}
        />
      </Card>
      <Card title={t.totals}>
        <div className="cards">
          <FiguresTable caption={t.totals} currency={currency} columns={columnsOf(batch, t)} />
          {view.reversals && <p>{t.reversalsText}</p>}
          <Brands brands={batch.by_brand} currency={currency} />
        </div>
      </Card>
      <h2 className="section">{t.payments}</h2>
      <Payments id={batch.id} />
      <JsonView path={`GET /api/v1/batches/${batch.id}`} document={object} events={batch.id} />
    </>
  )
}

type ColumnTexts = Record<'amount' | 'reversals' | 'difference', string>

function columnsOf(batch: ListedBatch, t: ColumnTexts): [string, BatchFigures][] {
  const { difference, reversals } = batch.view
  return [
    [t.amount, batch],
    ...(reversals ? [[t.reversals, reversals] satisfies [string, BatchFigures]] : []),
    ...(difference ? [[t.difference, difference] satisfies [string, BatchFigures]] : []),
  ]
}

function DifferenceAlert({ batch, difference }: { batch: ListedBatch; difference: BatchFigures }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const amount = (cents: number) => money(cents, batch.currency.toUpperCase())
  const values = { theirs: amount(batch.net_amount), ours: amount(batch.net_amount + difference.net_amount) }
  return (
    <Alert color="yellow" variant="outline" title={t.differenceTitle}>
      <p>{fill(t.differenceText, values)}</p>
      <p>{t.differenceNote}</p>
    </Alert>
  )
}

function Payments({ id }: { id: string }) {
  const t = useTexts(TEXTS)
  const columns: Column<BatchPayment>[] = [
    { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
    {
      id: 'amount',
      header: t.amount,
      align: 'end',
      cell: (row) => <PaidAmount payment={row} />,
    },
    { id: 'status', header: t.status, cell: ({ status }) => <PaymentStatus status={status} /> },
    { id: 'customer', header: t.customer, cell: ({ view }) => view.customer_name ?? view.customer_email ?? '–' },
    { id: 'card', header: t.card, cell: ({ view }) => cardName(view.card.brand, view.card.last4) },
  ]
  return (
    <List
      name="GET /batches/{id}/payments"
      caption={t.payments}
      columns={columns}
      params={{ id }}
      exportName="POST /payments/export"
      exportPermission="export.payments"
      exportQuery={{ batch: id }}
      rowTo={(payment) => `payments/${payment.id}`}
      empty={<Empty kind="nothing" title={t.noPayments} />}
    />
  )
}
