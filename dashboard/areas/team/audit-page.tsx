import { AUDIT_ACTIONS, EXPORTED_LISTS } from '../../../contract/dashboard/audit-actions.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { Empty } from '../../kit/empty.tsx'
import { useQueryOfPage } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { About, Actor, type AuditEntry, Outcome, useActorText } from './audit-parts.tsx'
import { TEAM_TEXTS } from './texts/texts.ts'

/** The audit log. */
export default function AuditPage() {
  const t = useTexts(TEAM_TEXTS)
  const seesAll = useMay('audit.read')
  return (
    <Page title={t.audit}>
      {!seesAll && <p>{t.ownOnly}</p>}
      <List<AuditEntry>
        name="GET /audit"
        caption={t.audit}
        views="audit"
        columns={useColumns()}
        filters={useAuditFilters(seesAll)}
        rowTo={({ id }) => `audit/${id}`}
        exportName="POST /audit/export"
        empty={<Empty kind="nothing" title={t.auditNothing} text={t.auditNothingText} />}
      />
    </Page>
  )
}

function useColumns(): Column<AuditEntry>[] {
  const t = useTexts(TEAM_TEXTS)
  const nameOf = useAuditName()
  return [
    { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
    { id: 'who', header: t.who, cell: ({ actor }) => <Actor actor={actor} /> },
    { id: 'what', header: t.what, cell: ({ action }) => nameOf(action) },
    { id: 'about', header: t.about, cell: (entry) => <About entry={entry} /> },
    { id: 'outcome', header: t.outcome, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    { id: 'ip', header: t.address, cell: ({ ip }) => ip, hidden: true },
    { id: 'browser', header: t.browser, cell: ({ user_agent: browser }) => browser, hidden: true },
    { id: 'request', header: t.requestId, cell: ({ request_id: id }) => id && <code>{id}</code>, hidden: true },
    { id: 'number', header: t.number, cell: ({ number }) => number, align: 'end', hidden: true },
  ]
}

function useAuditFilters(seesAll: boolean): FilterOf<'GET /audit'>[] {
  const t = useTexts(TEAM_TEXTS)
  const team = useRead('GET /team', { enabled: seesAll })
  const people = (team.data?.data ?? []).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))
  const actors = [...people, ...useOtherActor(team.data?.data.map(({ id }) => id))]
  const outcomes = (['done', 'requested', 'refused'] as const).map((value) => ({ value, label: t[`${value}_outcome`] }))
  return [
    { id: 'action', label: t.what, kind: 'select', options: useActionOptions() },
    { id: 'days', label: t.days, kind: 'days', members: ['from', 'to'] },
    { id: 'outcome', label: t.outcome, kind: 'select', options: outcomes },
    { id: 'about', label: t.objectId, kind: 'text' },
    ...(seesAll ? [{ id: 'actor', label: t.person, kind: 'select', options: actors } as const] : []),
  ]
}

/**
 * Returns a filtered actor who is not in the team any more: a former member, a key, a client. The name is from the
 * newest entry.
 */
function useOtherActor(team: readonly string[] | undefined) {
  const actorText = useActorText()
  const { actor } = useQueryOfPage()
  const isOther = actor !== undefined && team !== undefined && !team.includes(actor)
  const newest = useRead('GET /audit', { query: { actor: actor ?? '', limit: 1 }, enabled: isOther })
  if (!isOther) return []
  const [entry] = newest.data?.data ?? []
  return [{ value: actor, label: entry ? actorText(entry.actor) : actor }]
}

const NOUNS = [...new Set(AUDIT_ACTIONS.map((action) => action.replace(/[.].*/, '')))]
/** Exports concern a whole list, so they are not among the actions on a single object. */
const EXPORTS = EXPORTED_LISTS.map((list) => `${list}.export`)

/** Returns the actions, sorted by name in the page's language. */
function useActionOptions() {
  const nameOf = useAuditName()
  const locale = useLocale()
  return [...NOUNS, ...EXPORTS]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale))
}
