import { useQuery } from '@tanstack/react-query'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { Card } from '../../kit/detail.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { personCall } from '../../kit/person-call.ts'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

type Entry = EntryApi['GET /dashboard/auth/audit']['response']['data'][number]

const SHOWN = 20

/** The newest entries of the audit log about the person themselves, in every business. */
export function OwnAuditCard() {
  const t = useTexts(TEXTS)
  const { data } = useQuery({
    queryKey: ['own-audit'],
    queryFn: () => personCall('GET /dashboard/auth/audit', { query: { limit: SHOWN } }),
  })
  const columns = [
    { id: 'when', header: t.when, cell: (entry: Entry) => <Instant at={entry.created_at} /> },
    { id: 'what', header: t.what, cell: (entry: Entry) => <code>{entry.action}</code> },
    { id: 'business', header: t.business, cell: (entry: Entry) => entry.business.name },
    { id: 'outcome', header: t.outcome, cell: (entry: Entry) => t[`outcome_${entry.outcome}`] },
    { id: 'address', header: t.address, cell: (entry: Entry) => entry.ip },
  ]
  return (
    <Card title={t.ownAudit}>
      {data?.data.length === 0 && <p>{t.nothingDone}</p>}
      {data && data.data.length > 0 && <ListTable caption={t.ownAudit} columns={columns} rows={data.data} />}
    </Card>
  )
}
