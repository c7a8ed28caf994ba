import { useState } from 'react'
import type { HistoryEntry } from '../../../contract/dashboard/customers-api.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { AppLink } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { Newest } from './customer-lists.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

const SHOWN = 50
const ALL = 500

/** Changes that people made to the customer, and events about the customer. */
export function CustomerHistory({ id }: { id: string }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [limit, setLimit] = useState(SHOWN)
  const read = useRead('GET /customers/{id}/history', { params: { id }, query: { limit }, keepPrevious: true })
  if (read.error) return <Refusal error={read.error} onRetry={() => void read.refetch()} />
  if (!read.data) return null
  return (
    <Newest
      title={t.history}
      none={t.noHistory}
      list={read.data}
      onMore={limit === SHOWN ? () => setLimit(ALL) : undefined}
      columns={[
        { id: 'when', header: t.when, cell: ({ created }) => <Instant at={created} seconds /> },
        { id: 'what', header: t.what, cell: (entry) => <What of={entry} /> },
        { id: 'who', header: t.who, cell: ({ who, kind }) => (kind === 'event' ? t.happened : who) },
        { id: 'changed', header: t.changed, cell: ({ changed }) => changed.map((one) => fieldText(t, one)).join(', ') },
      ]}
    />
  )
}

/** Entry in words, with a link to the event or to the entry of the audit log. */
function What({ of: { id, what, kind } }: { of: HistoryEntry }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const nameOf = useAuditName()
  const isEvent = kind === 'event'
  const text = isEvent && isKnownEvent(what) ? t[`event_${what}`] : nameOf(what)
  const mayOpen = useMay(isEvent ? 'events.read' : 'audit.read_own')
  return mayOpen ? <AppLink to={`${isEvent ? 'events' : 'audit'}/${id}`}>{text}</AppLink> : text
}

const EVENTS = ['customer.created', 'customer.updated', 'payment_method.attached', 'payment_method.detached'] as const
const isKnownEvent = (type: string): type is (typeof EVENTS)[number] => EVENTS.some((one) => one === type)

const FIELDS = ['name', 'email', 'phone', 'metadata', 'status'] as const
const fieldText = (t: Record<(typeof FIELDS)[number], string>, field: string) =>
  FIELDS.some((one) => one === field) ? t[field as (typeof FIELDS)[number]] : field
