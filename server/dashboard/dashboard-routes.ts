import type { Static, TSchema } from 'typebox'
import type { EndpointName, ResponseOf } from '../../contract/dashboard/dashboard-api.ts'
import type { Permission } from '../../contract/permissions.ts'
import { memberAccess, requireStepUp, type SessionContext, sessionLimit } from '../access/sessions/member-access.ts'
import type { Member } from '../access/sessions/session.ts'
import { recordAudit } from '../audit/audit-queries.ts'
import { type Audited, audited } from '../audit/audited.ts'
import type { Tx } from '../db/transaction.ts'
import { DASHBOARD_API } from '../http/family.ts'
import { type Limit, type Reply, type Route, route } from '../http/route.ts'
import { type DashboardCall, withMember } from './dashboard-call.ts'
import { doOnce, onceRequestOf } from './once.ts'

// Every route below /dashboard/api/b/{business_id} is made here, so that none lacks its permission, its limit or its
// audit row.

const SHARED = { family: DASHBOARD_API, browsers: 'anywhere' } as const
const PREFIX = '/dashboard/api/b/{business_id}'

/** What a page sees of a route that only reads. */
interface Read<Name extends EndpointName, Query extends TSchema> {
  permission: Permission
  query?: Query
  /** Beside that of every session. */
  limits?: Limit<Member>[]
  handle(call: DashboardCall<unknown, Static<Query>>): Promise<DashboardReply<Name>>
}

/** A POST that only reads: what a change would do. It is a read to the limits, and writes nothing. */
interface Previewed<Name extends EndpointName, Body extends TSchema> {
  permission: Permission
  body?: Body
  /** Beside that of every session. */
  limits?: Limit<Member>[]
  handle(call: DashboardCall<Static<Body>>): Promise<DashboardReply<Name>>
}

interface Written<Body extends TSchema> {
  permission: Permission
  /** In the audit log: `product.create`. */
  action: string
  body?: Body
  /** In bytes; 64 KiB unless given. */
  bodyLimit?: number
  /** Beside that of every session. */
  limits?: Limit<Member>[]
  /** Why the person must prove again who they are; `null`: they need not. */
  stepUp?: string | ((call: DashboardCall<Static<Body>>) => Promise<string | null> | string | null)
}

/** A change in one transaction, with its audit row. */
interface Write<Name extends EndpointName, Body extends TSchema> extends Written<Body> {
  /** Whatever it writes, it writes with `tx`. */
  handle(call: DashboardCall<Static<Body>>, tx: Tx): Promise<DashboardReply<Name> & { audit: AuditedObject }>
}

/**
 * A call that must not happen twice and waits for others: it moves money, or makes a credential. It needs an
 * `Idempotency-Key`. Its audit row is committed before it begins.
 */
interface Once<Name extends EndpointName, Body extends TSchema> extends Written<Body> {
  /** What is asked for, for the audit log. */
  asks(call: DashboardCall<Static<Body>>): AuditedObject
  /** The response when the same call comes again. By default it is the same; a secret must not be in it. */
  withoutSecrets?(body: ResponseOf<Name>): ResponseOf<Name>
  handle(call: DashboardCall<Static<Body>>): Promise<DashboardReply<Name>>
}

export type AuditedObject = Omit<Audited<unknown>, 'result'>
export type DashboardReply<Name extends EndpointName> = Omit<Reply, 'body'> & { body: ResponseOf<Name> }

export type DashboardRoutes = ReturnType<typeof createDashboardRoutes>

/** Makes the routes of every area. */
export function createDashboardRoutes(context: SessionContext) {
  const { db, clock, environment, makeRateLimiter } = context
  const reads = sessionLimit(makeRateLimiter, 'read')
  const writes = sessionLimit(makeRateLimiter, 'write')
  const parts = { context, reads, writes }
  return {
    db,
    clock,
    environment,
    read: <Name extends EndpointName, Query extends TSchema>(name: Name, definition: Read<Name, Query>) =>
      readRoute(parts, name, definition),
    preview: <Name extends EndpointName, Body extends TSchema>(name: Name, definition: Previewed<Name, Body>) =>
      previewRoute(parts, name, definition),
    write: <Name extends EndpointName, Body extends TSchema>(name: Name, definition: Write<Name, Body>) =>
      writeRoute(parts, name, definition),
    once: <Name extends EndpointName, Body extends TSchema>(name: Name, definition: Once<Name, Body>) =>
      onceRoute(parts, name, definition),
  }
}

interface Parts {
  context: SessionContext
  reads: Limit<Member>
  writes: Limit<Member>
}

function readRoute<Name extends EndpointName, Query extends TSchema>(
  { context, reads }: Parts,
  name: Name,
  { permission, query, limits = [], handle }: Read<Name, Query>,
): Route {
  return route({
    ...SHARED,
    ...addressOf(name),
    access: memberAccess(context, permission),
    limits: [reads, ...limits],
    ...(query && { query }),
    handle: (call) => handle(withMember(call) as Parameters<typeof handle>[0]),
  })
}

function previewRoute<Name extends EndpointName, Body extends TSchema>(
  { context, reads }: Parts,
  name: Name,
  { permission, body, limits = [], handle }: Previewed<Name, Body>,
): Route {
  return route({
    ...SHARED,
    ...addressOf(name),
    access: memberAccess(context, permission),
    limits: [reads, ...limits],
    ...(body && { body }),
    handle: (call) => handle(withMember(call) as Parameters<typeof handle>[0]),
  })
}

function writeRoute<Name extends EndpointName, Body extends TSchema>(
  parts: Parts,
  name: Name,
  definition: Write<Name, Body>,
): Route {
  const { action, handle } = definition
  return writtenRoute(parts, name, definition, (call) => {
    const { business, actor } = call.member
    return audited(parts.context, { businessId: business.id, actor, action }, async (tx) => {
      const { audit, ...result } = await handle(call, tx)
      return { ...audit, result }
    })
  })
}

function onceRoute<Name extends EndpointName, Body extends TSchema>(
  parts: Parts,
  name: Name,
  definition: Once<Name, Body>,
): Route {
  const { db, clock } = parts.context
  const { action, asks, handle, withoutSecrets = (body) => body } = definition
  return writtenRoute(parts, name, definition, (call) => {
    const { business, actor } = call.member
    const entry = { businessId: business.id, actor, action, before: null, after: null, outcome: 'requested' } as const
    const begin = (tx: Tx) => recordAudit(tx, { ...entry, ...asks(call) }, clock.now())
    const kept = (reply: DashboardReply<Name>) => withoutSecrets(reply.body)
    const work = () => handle(call)
    return doOnce({ db, now: clock.now() }, onceRequestOf(name, call), { begin, work, kept })
  })
}

/** What both kinds of writing share: permission, limits, step-up. */
function writtenRoute<Body extends TSchema>(
  { context, writes }: Parts,
  name: string,
  { permission, body, bodyLimit, stepUp, limits = [] }: Written<Body>,
  work: (call: DashboardCall<Static<Body>>) => Promise<Reply>,
): Route {
  return route({
    ...SHARED,
    ...addressOf(name),
    access: memberAccess(context, permission),
    limits: [writes, ...limits],
    ...(body && { body }),
    ...(bodyLimit && { bodyLimit }),
    async handle(given) {
      const call = withMember(given) as DashboardCall<Static<Body>>
      const reason = typeof stepUp === 'function' ? await stepUp(call) : (stepUp ?? null)
      if (reason !== null) requireStepUp(call.member, context.clock.now(), reason)
      return work(call)
    },
  })
}

function addressOf(name: string): { method: Route['method']; path: string } {
  const [method, path] = name.split(' ')
  return { method: method as Route['method'], path: `${PREFIX}${path}` }
}
