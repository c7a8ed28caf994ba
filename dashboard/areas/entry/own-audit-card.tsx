import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { Card } from '../../kit/detail.tsx'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { businessPath, PathLink } from '../../kit/links.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMe } from '../../kit/me.ts'
import { personCall } from '../../kit/person-call.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

type Entry = EntryApi['GET /dashboard/auth/audit']['response']['data'][number]

const SHOWN = 20

/** Entries of the audit log about the person, from every business, newest first. */
export function OwnAuditCard() {
  const t = useTexts(TEXTS)
  /** Id of the last entry of each newer page. */
  const [ends, setEnds] = useState<string[]>([])
  const before = ends.at(-1)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['own-audit', before],
    queryFn: () => personCall('GET /dashboard/auth/audit', { query: { limit: SHOWN, ...(before && { before }) } }),
    placeholderData: keepPreviousData,
  })
  const columns = useColumns()
  const older = () => setEnds([...ends, data?.data.at(-1)?.id ?? ''])
  return (
    <Card title={t.ownAudit}>
      <Refusal error={error} onRetry={() => void refetch()} />
      {data?.data.length === 0 && <p>{t.nothingDone}</p>}
      {data && data.data.length > 0 && (
        <div className="stack">
          <ListTable caption={t.ownAudit} columns={columns} rows={data.data} isBusy={isPlaceholderData} />
          <Paging
            older={data.has_more && !isPlaceholderData ? older : null}
            newer={ends.length > 0 ? () => setEnds(ends.slice(0, -1)) : null}
          />
        </div>
      )}
    </Card>
  )
}

function useColumns() {
  const t = useTexts(TEXTS)
  const nameOf = useAuditName()
  const { user } = useMe()
  return [
    { id: 'when', header: t.when, cell: (entry: Entry) => <Instant at={entry.created_at} /> },
    {
      id: 'what',
      header: t.what,
      cell: ({ id, action, business }: Entry) =>
        business ? <PathLink to={businessPath(business.id, `audit/${id}`)}>{nameOf(action)}</PathLink> : nameOf(action),
    },
    {
      id: 'business',
      header: t.business,
      cell: ({ business }: Entry) =>
        business ? (
          <PathLink to={businessPath(business.id, `audit?actor=${user.id}`)}>{business.name}</PathLink>
        ) : (
          t.ofAccount
        ),
    },
    { id: 'outcome', header: t.outcome, cell: (entry: Entry) => t[`outcome_${entry.outcome}`] },
    { id: 'address', header: t.address, cell: (entry: Entry) => entry.ip },
  ]
}

/**
 * Buttons for other pages.
 *
 * @param older `null` on the last page; `newer` is `null` on the first
 */
function Paging({ older, newer }: { older: (() => void) | null; newer: (() => void) | null }) {
  const t = useTexts(KIT_TEXTS)
  const entry = useTexts(TEXTS)
  return (
    <nav className="paging" aria-label={t.pages}>
      <span className="dimmed">{entry.ownAuditText}</span>
      <span className="paging-moves">
        <Button variant="default" size="sm" disabled={!newer} onClick={() => newer?.()}>
          {t.newer}
        </Button>
        <Button variant="default" size="sm" disabled={!older} onClick={() => older?.()}>
          {t.older}
        </Button>
      </span>
    </nav>
  )
}
