import type { Static, TSchema } from 'typebox'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import type { Permission } from '../../contract/permissions.ts'
import {
  foreignGuard,
  memberAccess,
  permissionGuard,
  personLimit,
  type SessionContext,
  stepUpGuard,
} from '../access/sessions/member-access.ts'
import type { Member } from '../access/sessions/session.ts'
import { recordAudit } from '../audit/audit-queries.ts'
import { audited } from '../audit/audited.ts'
import { DASHBOARD_API } from '../http/family.ts'
import { type DashboardRights, type Limit, type Reply, type Route, route } from '../http/route.ts'
import { changeEachOnce } from './change-each.ts'
import { type DashboardCall, withMember } from './dashboard-call.ts'
import type {
  Bulk,
  BulkItem,
  DashboardReply,
  Exported,
  Once,
  Previewed,
  Read,
  Write,
  WriteOnce,
  Written,
} from './defined-routes.ts'
import { exportReply } from './export-reply.ts'
import { doOnce, onceRequestOf, ProofNeeded, untilProven, writeOnce } from './once.ts'
import { isKnownRequest } from './request-queries.ts'
import { addressOf, refusedOf } from './route-name.ts'

// Every route below /dashboard/api/b/{business_id} is made here, so that none lacks its permission, its limit or its
// audit row.

const SHARED = { family: DASHBOARD_API, browsers: 'anywhere' } as const
/** Limit for one person (DSH-33). */
const EXPORTS_AN_HOUR = 10

export type DashboardRoutes = ReturnType<typeof createDashboardRoutes>

/** Makes the routes of every area. */
export function createDashboardRoutes(context: SessionContext) {
  const { db, clock, environment, makeRateLimiter } = context
  const reads = personLimit(makeRateLimiter, 'read')
  const writes = personLimit(makeRateLimiter, 'write')
  const perPerson = makeRateLimiter({ name: 'dashboard export', points: EXPORTS_AN_HOUR, seconds: 3_600 })
  const exports: Limit<Member> = { limiter: perPerson, key: (_request, { session }) => session.userId }
  const guards = { requireStepUp: stepUpGuard(context), guardForeign: foreignGuard(context) }
  const parts = { context, reads, writes, exports, ...guards }
  return {
    db,
    clock,
    environment,
    /** Checks a permission that depends on what is requested, in addition to the route's own. */
    requirePermission: permissionGuard(context),
    read: <Name extends EndpointName, Query extends TSchema>(name: Name, definition: Read<Name, Query>) =>
      readRoute(parts, name, definition),
    preview: <Name extends EndpointName, Body extends TSchema>(name: Name, definition: Previewed<Name, Body>) =>
      previewRoute(parts, name, definition),
    write: <Name extends EndpointName, Body extends TSchema, Prepared = undefined>(
      name: Name,
      definition: Write<Name, Body, Prepared>,
    ) => writeRoute(parts, name, definition),
    once: <Name extends EndpointName, Body extends TSchema>(name: Name, definition: Once<Name, Body>) =>
      onceRoute(parts, name, definition),
    bulk: <Name extends EndpointName, Body extends TSchema, Item extends BulkItem>(
      name: Name,
      definition: Bulk<Name, Body, Item>,
    ) => bulkRoute(parts, name, definition),
    export: <Name extends EndpointName, Body extends TSchema, Row>(name: Name, definition: Exported<Body, Row>) =>
      exportRoute(parts, name, definition),
    writeOnce: <Name extends EndpointName, Body extends TSchema>(name: Name, definition: WriteOnce<Name, Body>) =>
      writeOnceRoute(parts, name, definition),
  }
}

interface Parts {
  context: SessionContext
  reads: Limit<Member>
  writes: Limit<Member>
  exports: Limit<Member>
  requireStepUp: ReturnType<typeof stepUpGuard>
  guardForeign: ReturnType<typeof foreignGuard>
}

function readRoute<Name extends EndpointName, Query extends TSchema>(
  parts: Parts,
  name: Name,
  { query, ...definition }: Read<Name, Query>,
): Route {
  return { ...readingRoute(parts, name, 'read', definition), ...(query && { query }) }
}

function previewRoute<Name extends EndpointName, Body extends TSchema>(
  parts: Parts,
  name: Name,
  { body, bodyLimit, ...definition }: Previewed<Name, Body>,
): Route {
  const route = readingRoute(parts, name, 'preview', definition)
  return { ...route, ...(body && { body }), ...(bodyLimit && { bodyLimit }) }
}

interface Reading {
  permission: Permission
  limits?: Limit<Member>[]
  /** Handles the call, whose body and query the route has validated. */
  handle(call: never): Promise<Reply>
}

/** Makes what both kinds of reading routes share: permission and limits. */
function readingRoute(
  { context, reads, guardForeign }: Parts,
  name: string,
  kind: 'read' | 'preview',
  { permission, limits = [], handle }: Reading,
): Route {
  return route({
    ...SHARED,
    ...addressOf(name),
    access: memberAccess(context, permission),
    rights: { permission, kind, action: null, stepUp: 'never' },
    limits: [reads, ...limits],
    handle(given) {
      const call = withMember(given)
      return guardForeign(call.member, refusedOf(name, permission, call), () => handle(call as never))
    },
  })
}

function writeRoute<Name extends EndpointName, Body extends TSchema, Prepared>(
  parts: Parts,
  name: Name,
  definition: Write<Name, Body, Prepared>,
): Route {
  return writtenRoute(parts, name, { ...definition, kind: 'write' }, (call) =>
    changeOf(parts.context, definition, call),
  )
}

/** Makes the change of a call and writes its audit row, in one transaction: that of the context if it has one. */
async function changeOf<Name extends EndpointName, Body extends TSchema, Prepared>(
  context: Pick<SessionContext, 'db' | 'clock'>,
  { action, prepare, handle }: Pick<Write<Name, Body, Prepared>, 'action' | 'prepare' | 'handle'>,
  call: DashboardCall<Static<Body>>,
): Promise<DashboardReply<Name>> {
  const { business, actor } = call.member
  const prepared = (await prepare?.(call)) as Prepared
  return audited(context, { businessId: business.id, actor, action }, async (tx) => {
    const { audit, ...result } = await handle(call, tx, prepared)
    return { ...audit, result: result as DashboardReply<Name> }
  })
}

function writeOnceRoute<Name extends EndpointName, Body extends TSchema>(
  parts: Parts,
  name: Name,
  definition: WriteOnce<Name, Body>,
): Route {
  const { context } = parts
  const { withoutSecrets = (body) => body } = definition
  const kept = (reply: DashboardReply<Name>) => withoutSecrets(reply.body)
  return writtenRoute(parts, name, { ...definition, kind: 'once' }, (call) =>
    writeOnce({ db: context.db, now: context.clock.now() }, onceRequestOf(context.keyring, name, call), {
      work: (tx) => changeOf({ ...context, db: tx }, definition, call),
      kept,
    }),
  )
}

function bulkRoute<Name extends EndpointName, Body extends TSchema, Item extends BulkItem>(
  parts: Parts,
  name: Name,
  definition: Bulk<Name, Body, Item>,
): Route {
  const { context, guardForeign } = parts
  return writtenRoute(parts, name, { ...definition, kind: 'bulk' }, (call) =>
    changeEachOnce({ ...context, guardForeign }, { name, definition, call }),
  )
}

function onceRoute<Name extends EndpointName, Body extends TSchema>(
  parts: Parts,
  name: Name,
  definition: Once<Name, Body>,
): Route {
  const { context } = parts
  const { db, clock } = context
  const { action, stepUp, asks, exceedsLimit, handle, recover, withoutSecrets = (body) => body } = definition
  return writtenRoute(parts, name, { ...definition, kind: 'once', asksForProof: true }, async (call) => {
    const { business, actor } = call.member
    const request = onceRequestOf(context.keyring, name, call)
    const entry = { businessId: business.id, actor, action, before: null, after: null, outcome: 'requested' } as const
    const work = (isProven: boolean, isRepeated = false) =>
      doOnce({ db, now: clock.now() }, request, {
        async begin(tx, id) {
          // Meanwhile, a refusal of the first call has released the key.
          if (isRepeated) throw new ProofNeeded()
          await recordAudit(tx, { ...entry, ...(await asks(call, id, tx)) }, clock.now())
          if (!isProven && (await exceedsLimit?.(call, tx))) throw new ProofNeeded()
        },
        work: (id) => handle(call, id),
        recover: recover && ((id) => recover(call, id)),
        kept: ({ body }: DashboardReply<Name>) => withoutSecrets(body),
      })
    const first = async () => work(stepUp != null && (await requireProof(parts, call, { action, stepUp })))
    // A repeated call starts nothing, so limits are not applied again.
    const isRepeated = stepUp != null && (await isKnownRequest(db, request))
    return untilProven(isRepeated ? () => work(false, true) : first, first)
  })
}

function exportRoute<Name extends EndpointName, Body extends TSchema, Row>(
  parts: Parts,
  name: Name,
  exported: Exported<Body, Row>,
): Route {
  const { permission, body, stepUp, list } = exported
  const action = `${list}.export` as const
  const definition = { permission, action, body, limits: [parts.exports], ...(stepUp && { stepUp }) }
  return writtenRoute(parts, name, { ...definition, kind: 'export' }, (call) =>
    exportReply(parts.context, exported, call),
  )
}

interface WrittenRoute<Body extends TSchema> extends Written<Body>, Pick<DashboardRights, 'kind'> {
  /** Whether the work itself asks for the proof, if its call is the first one. */
  asksForProof?: boolean
}

/** Makes what all writing routes share: permission, limits, step-up. */
function writtenRoute<Body extends TSchema>(
  parts: Parts,
  name: string,
  { permission, action, kind, body, bodyLimit, stepUp, asksForProof = false, limits = [] }: WrittenRoute<Body>,
  work: (call: DashboardCall<Static<Body>>) => Promise<Reply>,
): Route {
  return route({
    ...SHARED,
    ...addressOf(name),
    access: memberAccess(parts.context, permission),
    rights: { permission, kind, action, stepUp: stepUpOf(stepUp) },
    limits: [parts.writes, ...limits],
    ...(body && { body }),
    ...(bodyLimit && { bodyLimit }),
    async handle(given) {
      const call = withMember(given) as DashboardCall<Static<Body>>
      if (stepUp && !asksForProof) await requireProof(parts, call, { action, stepUp })
      return parts.guardForeign(call.member, refusedOf(name, action, call), () => work(call))
    },
  })
}

function stepUpOf(stepUp: unknown): DashboardRights['stepUp'] {
  if (typeof stepUp === 'function') return 'sometimes'
  return stepUp == null ? 'never' : 'always'
}

/** @returns whether a proof was needed; if so, the person has given it */
async function requireProof<Body extends TSchema>(
  { requireStepUp }: Parts,
  call: DashboardCall<Static<Body>>,
  { action, stepUp }: Pick<Written<Body>, 'action'> & { stepUp: NonNullable<Written<Body>['stepUp']> },
): Promise<boolean> {
  const reason = typeof stepUp === 'function' ? await stepUp(call) : stepUp
  if (reason === null) return false
  await requireStepUp(call.member, { action, reason })
  return true
}
