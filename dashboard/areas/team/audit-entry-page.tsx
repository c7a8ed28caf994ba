import { fill } from '../../../contract/text.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { Card, CopyId, Fields } from '../../kit/detail.tsx'
import { AppLink, usePathParam } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { ScrollingPart } from '../../kit/scrolling.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { Actor, type AuditEntry, Outcome, pageOfEntry } from './audit-parts.tsx'
import { TEAM_TEXTS } from './texts/texts.ts'

/** One entry of the audit log, with the values before and after. */
export default function AuditEntryPage() {
  const t = useTexts(TEAM_TEXTS)
  const read = useRead('GET /audit/{id}', { params: { id: usePathParam('id') } })
  const { data } = read
  const title = data ? fill(t.auditEntry, { number: data.number }) : t.audit
  return (
    <Page
      title={title}
      breadcrumbs={[{ label: t.audit, to: 'audit' }]}
      badge={data && <Outcome outcome={data.outcome} />}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {data && <Entry entry={data} />}
    </Page>
  )
}

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useTexts(TEAM_TEXTS)
  const nameOf = useAuditName()
  const { about, request_id: requestId } = entry
  return (
    <>
      <Card title={nameOf(entry.action)}>
        <Fields
          items={[
            [t.time, <Instant key="time" at={entry.created} seconds />],
            [t.who, <Who key="who" entry={entry} />],
            [
              t.about,
              about && (
                <span key="about">
                  {nameOf(about.type)} <CopyId id={about.id} label={nameOf(about.type)} to={pageOfEntry(entry)} />
                </span>
              ),
            ],
            [t.address, entry.ip],
            [t.browser, entry.user_agent],
            [t.requestId, requestId && <CopyId key="request" id={requestId} label={t.requestId} />],
          ]}
        />
        {entry.outcome === 'requested' && <p className="dimmed">{t.requestedText}</p>}
      </Card>
      <Card title={t.change}>
        <Change entry={entry} />
      </Card>
    </>
  )
}

/** The actor, with a link to all of their entries for people who may read it. */
function Who({ entry: { actor } }: { entry: AuditEntry }) {
  const t = useTexts(TEAM_TEXTS)
  const seesAll = useMay('audit.read')
  return (
    <>
      <Actor actor={actor} />{' '}
      {seesAll && actor.id !== null && <AppLink to={`audit?actor=${actor.id}`}>{t.allOfActor}</AppLink>}
    </>
  )
}

function Change({ entry: { before, after } }: { entry: AuditEntry }) {
  const t = useTexts(TEAM_TEXTS)
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (members.length === 0) return <p>{t.noChange}</p>
  return (
    <ScrollingPart label={t.change}>
      <table>
        <caption className="only-read">{t.change}</caption>
        <thead>
          <tr>
            <th scope="col">{t.member}</th>
            <th scope="col">{t.before}</th>
            <th scope="col">{t.after}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member}>
              <th scope="row">
                <code>{member}</code>
              </th>
              <td>{textOf(before?.[member])}</td>
              <td>{textOf(after?.[member])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollingPart>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
