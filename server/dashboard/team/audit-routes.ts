import type { About } from '../../../contract/dashboard/about.ts'
import type { AUDIT_COLUMNS } from '../../../contract/dashboard/export-columns.ts'
import { type AuditEntry, AuditExport, type AuditFilters, AuditQuery } from '../../../contract/dashboard/team-api.ts'
import { may } from '../../../contract/permissions.ts'
import type { Member } from '../../access/sessions/session.ts'
import {
  type AuditFilter,
  auditEntries,
  findAuditEntry,
  type KeptEntry,
  listAudit,
  readAudit,
} from '../../audit/audit-list-queries.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { countUpTo } from '../count-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requireOrder } from '../day-range.ts'
import type { CsvCell } from '../export/csv.ts'
import { dashboardList } from '../list-object.ts'
import { findShownOn } from './shown-on-queries.ts'

/**
 * Returns the routes of the audit log: who did what in the business (DSH-15). A person who may not read the log sees
 * only what they did themselves.
 */
export function auditRoutes(dashboard: DashboardRoutes): Route[] {
  const { db, environment } = dashboard
  const filterOf = (member: Member, wanted: AuditFilters) => auditFilter(member, wanted, environment)
  return [
    dashboard.read('GET /audit', {
      permission: 'audit.read_own',
      query: AuditQuery,
      async handle({ member, query }) {
        const filter = filterOf(member, query)
        const entries = auditEntries(db, filter).select('id')
        const [page, counted] = await Promise.all([listAudit(db, filter, query), countUpTo(db, entries)])
        const shownOn = await findShownOn(db, member.business.id, objectsOf(page.rows))
        return { body: dashboardList(page, counted, (entry) => entryView(entry, shownOn)) }
      },
    }),
    dashboard.read('GET /audit/{id}', {
      permission: 'audit.read_own',
      async handle({ member, params }) {
        const { id = '' } = params
        const entry = isUuid(id) ? await findAuditEntry(db, filterOf(member, {}), id) : null
        if (!entry) throw new ApiError('not_found', { message: 'No such entry' })
        return { body: entryView(entry, await findShownOn(db, member.business.id, objectsOf([entry]))) }
      },
    }),
    dashboard.export('POST /audit/export', {
      permission: 'audit.read_own',
      list: 'audit',
      body: AuditExport,
      columns: COLUMNS,
      count: ({ member, body }) => countUpTo(db, auditEntries(db, filterOf(member, body)).select('id')),
      read: ({ member, body }, after: KeptEntry | null, limit) =>
        readAudit(db, filterOf(member, body), { before: after?.number ?? null, limit }),
    }),
  ]
}

/** @throws ApiError `validation_failed` when the days are in the wrong order */
function auditFilter({ business, role, session }: Member, wanted: AuditFilters, environment: Environment): AuditFilter {
  const { actor, action, about, outcome, from, to } = wanted
  requireOrder({ from, to })
  const onlyUser = may(role, 'audit.read', environment) ? null : session.userId
  const { id: businessId, timeZone } = business
  return { businessId, timeZone, onlyUser, actor, action, objectId: about, outcome, from, to }
}

type Environment = DashboardRoutes['environment']

const objectsOf = (entries: readonly KeptEntry[]) => entries.flatMap(({ object }) => object ?? [])

function entryView(entry: KeptEntry, shownOn: ReadonlyMap<string, About>): AuditEntry {
  const { id, number, createdAt, actor, action, object, outcome, before, after } = entry
  return {
    object: 'audit_entry',
    id,
    number,
    created: epochSeconds(createdAt),
    actor: { kind: actor.kind, id: actor.id, name: actor.name },
    action,
    about: object,
    shown_on: (object && shownOn.get(object.id)) ?? null,
    outcome,
    before,
    after,
    ip: actor.ip,
    user_agent: actor.userAgent,
    request_id: actor.requestId,
  }
}

const json = (value: KeptEntry['after']) => value && JSON.stringify(value)

const COLUMNS: Record<(typeof AUDIT_COLUMNS)[number], (entry: KeptEntry) => CsvCell> = {
  number: ({ number }) => number,
  time: ({ createdAt }) => createdAt,
  actor_kind: ({ actor }) => actor.kind,
  actor: ({ actor }) => actor.name ?? actor.id,
  action: ({ action }) => action,
  object_type: ({ object }) => object?.type ?? null,
  object_id: ({ object }) => object?.id ?? null,
  outcome: ({ outcome }) => outcome,
  before: ({ before }) => json(before),
  after: ({ after }) => json(after),
  ip: ({ actor }) => actor.ip,
  browser: ({ actor }) => actor.userAgent,
  request_id: ({ actor }) => actor.requestId,
}
