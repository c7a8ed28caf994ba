import type { Refusal } from '../../../contract/dashboard/credentials-api.ts'
import { CopyId } from '../../kit/detail.tsx'
import { Empty } from '../../kit/empty.tsx'
import { HelpLink } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

export default function RequestsPage() {
  const t = useTexts(CREDENTIAL_TEXTS)
  const filters: FilterOf<'GET /refusals'>[] = [
    { id: 'code', label: t.code, kind: 'text' },
    { id: 'ip', label: t.address, kind: 'text' },
    { id: 'credential', label: t.credentialId, kind: 'text' },
    { id: 'days', label: t.days, kind: 'days', members: ['from', 'to'] },
  ]
  return (
    <Page title={t.requests}>
      <p>
        {t.requestsText} <HelpLink part="description/errors">{t.reference}</HelpLink>
      </p>
      <List<Refusal>
        name="GET /refusals"
        caption={t.requests}
        views="requests"
        exportName="POST /refusals/export"
        exportPermission="requests.read"
        columns={useColumns()}
        filters={filters}
        empty={<Empty kind="nothing" title={t.noRequests} text={t.noRequestsText} />}
      />
    </Page>
  )
}

function useColumns(): Column<Refusal>[] {
  const t = useTexts(CREDENTIAL_TEXTS)
  return [
    { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
    {
      id: 'path',
      header: t.path,
      cell: ({ method, path }) => (
        <code>
          {method} {path}
        </code>
      ),
    },
    { id: 'status', header: t.status, align: 'end', cell: ({ status }) => status },
    { id: 'code', header: t.code, cell: (row) => <Code of={row} /> },
    { id: 'field', header: t.field, cell: ({ param }) => (param === null ? '–' : <code>{param}</code>) },
    {
      id: 'credential',
      header: t.credential,
      cell: ({ credential_kind: kind, view }) => `${t[kind]}: ${view.credential_name ?? '–'}`,
    },
    { id: 'credentialId', header: t.credentialId, hidden: true, cell: (row) => <code>{row.credential_id}</code> },
    { id: 'address', header: t.address, cell: ({ ip }) => <code>{ip}</code> },
    {
      id: 'request',
      header: t.requestId,
      hidden: true,
      cell: (row) => <CopyId id={row.request_id} label={t.requestId} />,
    },
  ]
}

/** A code with its meaning from the API's reference, in English, and a link to the page of all codes. */
function Code({ of: { code, view } }: { of: Refusal }) {
  return (
    <>
      <HelpLink part="description/errors">
        <code>{code}</code>
      </HelpLink>
      {view.meaning && (
        <div className="dimmed" lang="en">
          {view.meaning}
        </div>
      )}
    </>
  )
}
