import { Empty } from '../../kit/empty.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { About, Actor, type AuditEntry, Outcome } from './audit-parts.tsx'
import { TEAM_TEXTS } from './texts/texts.ts'

/** Who did what. */
export default function AuditPage() {
  const t = useTexts(TEAM_TEXTS)
  const seesAll = useMay('audit.read')
  return (
    <Page title={t.audit}>
      {!seesAll && <p>{t.ownOnly}</p>}
      <List<AuditEntry>
        name="GET /audit"
        caption={t.audit}
        columns={useColumns()}
        filters={useAuditFilters(seesAll)}
        rowTo={({ id }) => `audit/${id}`}
        exportName="POST /audit/export"
        exportPermission="audit.read"
        empty={<Empty kind="nothing" title={t.auditNothing} text={t.auditNothingText} />}
      />
    </Page>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const t = useTexts(TEAM_TEXTS)
  return [
    { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
    { id: 'who', header: t.who, cell: ({ actor }) => <Actor actor={actor} /> },
    { id: 'what', header: t.what, cell: ({ action }) => <code>{action}</code> },
    { id: 'about', header: t.about, cell: ({ about }) => about && <About about={about} /> },
    { id: 'outcome', header: t.outcome, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    { id: 'ip', header: t.address, cell: ({ ip }) => ip, hidden: true },
    { id: 'number', header: t.number, cell: ({ number }) => number, align: 'end', hidden: true },
  ]
}

/** The first words of what is recorded. */
const NOUNS = [
  'settings',
  'branding',
  'limits',
  'member',
  'invitation',
  'ownership',
  'factors',
  'api_key',
  'oauth_client',
  'allowed_ip',
  'google_pay_key',
  'webhook_endpoint',
  'product',
  'price',
  'customer',
  'payment_method',
  'checkout_session',
  'subscription',
  'contract',
  'payment',
  'batch',
  'audit',
]

function useAuditFilters(seesAll: boolean): FilterOf<'GET /audit'>[] {
  const t = useTexts(TEAM_TEXTS)
  const outcomes = (['done', 'requested', 'refused'] as const).map((value) => ({ value, label: t[`${value}_outcome`] }))
  return [
    { id: 'action', label: t.what, kind: 'select', options: NOUNS.map((noun) => ({ value: noun, label: noun })) },
    { id: 'days', label: t.days, kind: 'days', members: ['from', 'to'] },
    { id: 'outcome', label: t.outcome, kind: 'select', options: outcomes },
    { id: 'about', label: t.objectId, kind: 'text' },
    ...(seesAll ? [{ id: 'actor', label: t.actorId, kind: 'text' } as const] : []),
  ]
}
