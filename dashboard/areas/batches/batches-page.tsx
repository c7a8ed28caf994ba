import { useMemo } from 'react'
import type { ListedBatch } from '../../../contract/dashboard/batches-api.ts'
import { fill } from '../../../contract/text.ts'
import { Empty } from '../../kit/empty.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { Findings } from './findings.tsx'
import { OpenBatchCard } from './open-batch-card.tsx'
import { TEXTS } from './texts/texts.ts'

const EVERY_MS = 60_000

export default function BatchesPage() {
  const t = useTexts(TEXTS)
  const columns = useColumns()
  const open = useRead('GET /batches/current', { every: EVERY_MS, background: true })
  const currencies = open.data?.data.map(({ currency }) => currency.toUpperCase()) ?? []
  const filters: FilterOf<'GET /batches'>[] = [
    { id: 'settled', label: t.settledDays, kind: 'days' },
    ...(currencies.length > 1
      ? [
          {
            id: 'currency' as const,
            label: t.currency,
            kind: 'select' as const,
            options: currencies.map((value) => ({ value, label: value })),
          },
        ]
      : []),
  ]
  return (
    <Page title={t.batches}>
      <Refusal error={open.error} onRetry={() => void open.refetch()} />
      <div className="cards">
        {open.data?.data.map((batch) => (
          <OpenBatchCard key={batch.terminal_id} batch={batch} />
        ))}
      </div>
      <Findings />
      <h2 className="section">{t.settledBatches}</h2>
      <List
        name="GET /batches"
        caption={t.settledBatches}
        views="batches"
        columns={columns}
        filters={filters}
        query={SETTLED}
        exportName="POST /batches/export"
        exportPermission="export.payments"
        rowTo={({ id }) => `batches/${id}`}
        empty={<Empty kind="nothing" title={t.nothingTitle} text={t.nothingText} guide="tag/batches" />}
      />
    </Page>
  )
}

const SETTLED = { status: 'settled' }

function useColumns(): Column<ListedBatch>[] {
  const t = useTexts(TEXTS)
  const money = useMoney()
  return useMemo(() => {
    const amount = (cents: number, { currency }: ListedBatch) => money(cents, currency.toUpperCase())
    const counted = (count: number, cents: number, batch: ListedBatch) =>
      fill(t.counted, { count, amount: amount(cents, batch) })
    return [
      { id: 'number', header: t.number, cell: ({ number, currency }) => `${number} · ${currency.toUpperCase()}` },
      { id: 'settled', header: t.settledAt, cell: ({ settled_at: at }) => at !== null && <Instant at={at} /> },
      {
        id: 'net',
        header: t.net,
        align: 'end',
        cell: (batch) => amount(batch.net_amount, batch),
      },
      {
        id: 'sales',
        header: t.sales,
        align: 'end',
        cell: (batch) => counted(batch.sales_count, batch.sales_amount, batch),
      },
      {
        id: 'refunds',
        header: t.refunds,
        align: 'end',
        cell: (batch) => counted(batch.refunds_count, batch.refunds_amount, batch),
      },
      {
        id: 'voids',
        header: t.voids,
        align: 'end',
        hidden: true,
        cell: (batch) => counted(batch.voids_count, batch.voids_amount, batch),
      },
      {
        id: 'reference',
        header: t.reference,
        cell: ({ settlement_reference: reference }) => reference && <code>{reference}</code>,
      },
      { id: 'difference', header: t.difference, cell: (batch) => <Difference batch={batch} /> },
    ]
  }, [t, money])
}

function Difference({ batch: { view, currency } }: { batch: ListedBatch }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  if (!view.difference) return <Status tone="good">{t.noDifference}</Status>
  const { net_amount: net } = view.difference
  const text = net === 0 ? t.differsCounts : fill(t.differs, { amount: money(net, currency.toUpperCase()) })
  return <Status tone="warn">{text}</Status>
}
