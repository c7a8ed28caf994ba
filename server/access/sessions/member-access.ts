import type { FastifyRequest } from 'fastify'
import { may, type Permission, rolesWith } from '../../../contract/permissions.ts'
import type { Actor } from '../../audit/actor.ts'
import type { AuditEntry } from '../../audit/audit.ts'
import { recordAudit } from '../../audit/audit-queries.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import { canonicalAddress } from '../../http/client-address.ts'
import type { MakeRateLimiter, RateLimiter } from '../../http/rate-limit.ts'
import type { Access, Limit } from '../../http/route.ts'
import { addSeconds, type Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { auditPerson } from '../people/audit-person.ts'
import type { NotifyPerson } from '../people/person-notice.ts'
import type { Environment } from '../shared/context.ts'
import { tracesOf, type Whereabouts } from './member-trace.ts'
import { recordTraces } from './member-trace-queries.ts'
import { requireSameOrigin } from './same-origin.ts'
import { type Member, type Session, STEP_UP_SECONDS, signedOut } from './session.ts'
import { isCsrfToken, readSessionCookie } from './session-cookie.ts'
import { findSession, findSessionIn, recordVisit, touchSession } from './session-queries.ts'

export interface SessionContext {
  db: Db
  keyring: Keyring
  clock: Clock
  environment: Environment
  /** Origin of the dashboard. */
  dashboardOrigin: string
  makeRateLimiter: MakeRateLimiter
  notifyPerson: NotifyPerson
}

/**
 * Shortest time between two writes to a session, or to a visit of a business. A session may therefore end this much
 * earlier after its last call.
 */
const TOUCH_SECONDS = 15
/** Limit for one person, so that nobody fills the log. */
const AUDITED_REFUSALS = { name: 'audited refusals', points: 60, seconds: 60 }
/** Header of requests that a page makes by itself, which do not prolong a session. */
const BACKGROUND_HEADER = 'x-background'

/** A signed-in person, and the actor for the audit log. */
export interface PersonCaller {
  session: Session
  actor: Actor
}

/**
 * Authenticates a call of a signed-in person that is not about a business.
 *
 * @param mayLackFactor whether it is open, in production, to a person who has yet to add a second factor
 * @throws ApiError `origin_not_allowed`, `signed_out`, `second_factor_required`
 * @see DSH-9
 */
export function personAccess(
  context: SessionContext,
  { mayLackFactor }: { mayLackFactor: boolean },
): Access<PersonCaller> {
  return {
    name: 'session',
    async check(request) {
      const session = await findSession(context.db, tokenOf(context, request), context.clock.now())
      if (!session) throw signedOut()
      requireCsrfToken(context, request, session)
      if (!mayLackFactor && session.proof === 'password' && context.environment === 'production') {
        throw secondFactorRequired()
      }
      await touch(context, request, { session, visited: null })
      return { session, actor: actorOf(session, request) }
    },
  }
}

/**
 * Allows any browser on a page of the dashboard.
 *
 * @returns the token of the session that it has, which may have ended
 */
export function strangerAccess({ keyring, dashboardOrigin }: SessionContext): Access<{ oldToken: string | null }> {
  return {
    name: 'public',
    check(request) {
      requireSameOrigin(request, dashboardOrigin)
      return { oldToken: readSessionCookie(keyring, dashboardOrigin, request.headers.cookie) }
    },
  }
}

/**
 * Authenticates a call of a person in the business of the path, and checks their permission. The role is read at each
 * call, so a change takes effect with the next one.
 *
 * @throws ApiError `origin_not_allowed`, `signed_out`, `not_found`, `second_factor_required`, `permission_denied`
 * @see DSH-1, DSH-10, DSH-11, DSH-14
 */
export function memberAccess(context: SessionContext, permission: Permission): Access<Member> {
  const requirePermission = permissionGuard(context)
  const refusals = context.makeRateLimiter(AUDITED_REFUSALS)
  return {
    name: 'session',
    async check(request) {
      const businessId = (request.params as { business_id?: string }).business_id ?? ''
      const token = tokenOf(context, request)
      const found = isUuid(businessId)
        ? await findSessionIn(context.db, { token, businessId }, context.clock.now())
        : null
      if (!found) throw signedOut()
      const { session, member: membership } = found
      const from = { ip: request.ip, sessionToken: token }
      requireCsrfToken(context, request, session)
      if (!membership) {
        await auditStranger(context, refusals, { session, actor: actorOf(session, request), permission })
        throw new ApiError('not_found', { message: 'No such business' })
      }
      const { business, role, mustHaveSecondFactor, lastSeenAt } = membership
      const member = { session, business, role, actor: actorOf(session, request) }
      if (session.proof === 'password' && (mustHaveSecondFactor || context.environment === 'production')) {
        throw secondFactorRequired()
      }
      await requirePermission(member, permission)
      await touch(context, request, { session, visited: { businessId, lastSeenAt, from } })
      return member
    },
  }
}

/**
 * Refuses a person whose role lacks a permission, and writes an audit row.
 *
 * @returns a function that throws `permission_denied`
 */
export function permissionGuard(context: SessionContext) {
  const refusals = context.makeRateLimiter(AUDITED_REFUSALS)
  return async (member: Member, permission: Permission): Promise<void> => {
    if (may(member.role, permission, context.environment)) return
    await auditRefusal(context, refusals, member, permission)
    throw permissionDenied(permission, context.environment)
  }
}

/**
 * @throws ApiError `step_up_required` unless the person proved again who they are within five minutes
 * @see DSH-12
 */
export function requireStepUp({ session }: Pick<Member, 'session'>, now: Date, reason: string): void {
  const { steppedUpAt } = session
  if (steppedUpAt !== null && steppedUpAt > addSeconds(now, -STEP_UP_SECONDS)) return
  throw new ApiError('step_up_required', {
    message: 'Prove again who you are',
    extra: { methods: ['passkey', 'password'], reason },
  })
}

/**
 * Like `requireStepUp`, for a change in a business: a refusal is written to the audit log.
 *
 * @returns a function that throws `step_up_required`
 */
export function stepUpGuard(context: SessionContext) {
  const refusals = context.makeRateLimiter(AUDITED_REFUSALS)
  return async (member: Member, { action, reason }: Pick<AuditEntry, 'action'> & { reason: string }): Promise<void> => {
    try {
      requireStepUp(member, context.clock.now(), reason)
    } catch (refusal) {
      await auditRefusal(context, refusals, member, action)
      throw refusal
    }
  }
}

/**
 * Audits requests for an object that the person's business does not have: it may belong to another one (DSH-1).
 *
 * @returns a function that does the work and throws what it throws
 */
export function foreignGuard(context: SessionContext) {
  const refusals = context.makeRateLimiter(AUDITED_REFUSALS)
  return async <Result>(
    member: Member,
    { action, object }: Pick<AuditEntry, 'action' | 'object'>,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await work()
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.code === 'not_found')
        await auditRefusal(context, refusals, member, action, object)
      throw refusal
    }
  }
}

/** Limits a person to 300 reads and 60 writes a minute, however many sessions they have (DSH-33). */
export function personLimit(makeRateLimiter: MakeRateLimiter, kind: 'read' | 'write'): Limit<{ session: Session }> {
  const limiter = makeRateLimiter({ name: `dashboard ${kind}`, points: kind === 'read' ? 300 : 60, seconds: 60 })
  return { limiter, key: (_request, { session }) => session.userId }
}

function actorOf(session: Session, request: FastifyRequest): Actor {
  const { 'user-agent': userAgent } = request.headers
  return {
    kind: 'person',
    id: session.userId,
    name: session.email,
    ip: canonicalAddress(request.ip) ?? null,
    userAgent: userAgent?.slice(0, 300) ?? null,
    requestId: request.id,
  }
}

function tokenOf({ keyring, dashboardOrigin }: SessionContext, request: FastifyRequest): string {
  requireSameOrigin(request, dashboardOrigin)
  const token = readSessionCookie(keyring, dashboardOrigin, request.headers.cookie)
  if (token === null) throw signedOut()
  return token
}

const secondFactorRequired = () =>
  new ApiError('second_factor_required', { message: 'Add a second factor to your account first' })

function requireCsrfToken({ keyring }: SessionContext, { method, headers }: FastifyRequest, { id }: Session): void {
  if (method === 'GET' || method === 'HEAD') return
  if (isCsrfToken(keyring, id, String(headers['x-csrf-token'] ?? ''))) return
  throw new ApiError('origin_not_allowed', {
    message: 'The header X-CSRF-Token is missing or belongs to another session',
  })
}

interface Seen {
  session: Session
  /** The business that is called; `null` if none is. */
  visited: { businessId: string; lastSeenAt: Date | null; from: Whereabouts } | null
}

async function touch({ db, clock }: SessionContext, { headers }: FastifyRequest, { session, visited }: Seen) {
  if (headers[BACKGROUND_HEADER] !== undefined) return
  const now = clock.now()
  const isOld = (at: Date | null) => at === null || at <= addSeconds(now, -TOUCH_SECONDS)
  const isOldVisit = visited !== null && isOld(visited.lastSeenAt)
  const seen = { userId: session.userId, at: now }
  if (isOld(session.lastSeenAt)) await touchSession(db, session.id, now)
  if (isOldVisit) await recordVisit(db, { ...visited, ...seen })
  if (visited && (isOldVisit || isOld(session.lastSeenAt)))
    await recordTraces(db, { ...visited, ...seen, traces: tracesOf(visited.from) })
}

function permissionDenied(permission: Permission, environment: Environment): ApiError {
  const roles = rolesWith(permission, environment)
  return new ApiError('permission_denied', {
    message: roles.length > 0 ? `This needs the role ${roles.join(' or ')}` : 'This is not available in production',
    extra: { permission, roles },
  })
}

async function auditRefusal(
  { db, clock }: SessionContext,
  refusals: RateLimiter,
  { session, business, actor }: Member,
  action: AuditEntry['action'],
  object: AuditEntry['object'] = null,
): Promise<void> {
  if (!(await countsRefusal(refusals, session))) return
  const entry = { businessId: business.id, actor, action, object, before: null, after: null }
  await transaction(db, (tx) => recordAudit(tx, { ...entry, outcome: 'refused' }, clock.now()))
}

/**
 * Audits a person who names a business that is not theirs. The entry goes to the log of their only business, or to
 * their own: in the same way whether or not the named business exists, so that neither the response nor its time
 * reveals that.
 */
async function auditStranger(
  { db, clock }: SessionContext,
  refusals: RateLimiter,
  { session, actor, permission }: { session: Session; actor: Actor; permission: Permission },
): Promise<void> {
  if (!(await countsRefusal(refusals, session))) return
  const entry = { userId: session.userId, actor, action: permission, object: null, outcome: 'refused' } as const
  await transaction(db, (tx) => auditPerson(tx, entry, clock.now()))
}

/** @returns `false` above the limit */
async function countsRefusal(refusals: RateLimiter, { userId }: Session): Promise<boolean> {
  if ((await refusals.look(userId)).remaining === 0) return false
  await refusals.consume(userId)
  return true
}
