import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { Newest } from './customer-lists.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

/** What people did about the customer, and what happened to them. */
export function CustomerHistory({ id }: { id: string }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const read = useRead('GET /customers/{id}/history', { params: { id } })
  if (read.error) return <Refusal error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return null
  return (
    <Newest
      title={t.history}
      none={t.noHistory}
      list={read.data}
      columns={[
        { id: 'when', header: t.when, cell: ({ created }) => <Instant at={created} seconds /> },
        { id: 'what', header: t.what, cell: ({ what }) => <code>{what}</code> },
        { id: 'who', header: t.who, cell: ({ who, kind }) => (kind === 'event' ? t.happened : who) },
        { id: 'changed', header: t.changed, cell: ({ changed }) => changed.join(', ') },
      ]}
    />
  )
}
