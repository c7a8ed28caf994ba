import pg from 'pg'
import type { App } from '../../server/app/app.ts'
import { fastifyPath } from '../../server/http/path-pattern.ts'
import type { DashboardRights } from '../../server/http/route.ts'

// Compares every call of the dashboard in every test with the audit log (DSH-3, DSH-15): a change has exactly one row,
// with the action of its route; a change of several objects has one row per object; a read has none.

interface SeenCall {
  name: string
  requestId: string
  rights: DashboardRights
  status: number
  isReplay: boolean
}

export interface AuditedCalls {
  /** @throws if the audit log has more or fewer rows than it must */
  check(databaseUrl: string): Promise<void>
}

/** Records the calls of a service from now on. Must be called before the service listens. */
export function watchAudit({ form, routes }: Pick<App, 'form' | 'routes'>): AuditedCalls {
  const seen: SeenCall[] = []
  const known = new Map(routes.map((one) => [`${one.method} ${fastifyPath(one.path)}`, one]))
  form.addHook('onResponse', async (request, reply) => {
    const called = known.get(`${request.method} ${request.routeOptions.url}`)
    if (!called?.rights) return
    const { method, path, rights } = called
    const isReplay = reply.hasHeader('idempotent-replayed')
    seen.push({ name: `${method} ${path}`, requestId: String(request.id), rights, status: reply.statusCode, isReplay })
  })
  return {
    async check(databaseUrl) {
      if (seen.length === 0) return
      const rows = await rowsOf(databaseUrl)
      const faults = seen.flatMap((call) => faultsOf(call, rows.get(call.requestId) ?? []))
      if (faults.length > 0) throw new Error(`The audit log is not as it must be:\n${[...new Set(faults)].join('\n')}`)
    },
  }
}

interface Row {
  action: string
  outcome: string
}

async function rowsOf(databaseUrl: string): Promise<Map<string, Row[]>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<Row & { request_id: string }>(
      'select action, outcome, request_id from audit_entry where request_id is not null',
    )
    return Map.groupBy(rows, ({ request_id }) => request_id)
  } finally {
    await client.end()
  }
}

function faultsOf({ name, rights, status, isReplay }: SeenCall, rows: Row[]): string[] {
  const { kind, action } = rights
  const done = rows.filter(({ outcome }) => outcome !== 'refused')
  const found = done.map((row) => `${row.action} (${row.outcome})`).join(', ') || 'no row'
  const fault = (wanted: string) => [`${name} ${status}: ${found}, not ${wanted}`]
  if (kind === 'read' || kind === 'preview' || isReplay) return done.length === 0 ? [] : fault('nothing')
  // One row per changed object; there may be none.
  if (kind === 'bulk' && status < 300) return done.every((row) => row.action === action) ? [] : fault(`only ${action}`)
  const isOne = done.length === 1 && done[0]?.action === action
  if (status < 300) return isOne ? [] : fault(`one of ${action}`)
  // A call that moves money is in the log before it is made; the gateway may refuse it afterwards.
  return done.length === 0 || (kind === 'once' && isOne) ? [] : fault('nothing')
}
