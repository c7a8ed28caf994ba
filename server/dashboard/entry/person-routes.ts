import type { Static, TSchema } from 'typebox'
import type { EntryApi, EntryCallName } from '../../../contract/dashboard/entry-api.ts'
import {
  type PersonCaller,
  personAccess,
  personLimit,
  type SessionContext,
  strangerAccess,
} from '../../access/sessions/member-access.ts'
import type { NewSession } from '../../access/sessions/session.ts'
import { clearSessionCookie, csrfToken, setSessionCookie } from '../../access/sessions/session-cookie.ts'
import type { From } from '../../access/sign-in/sign-in.ts'
import { DASHBOARD_API } from '../../http/family.ts'
import type { RateLimit } from '../../http/rate-limit.ts'
import { type Call, type Limit, type Reply, type Route, route } from '../../http/route.ts'

// Every route about a person rather than a business is made here, so that each says who may call it.

const SHARED = { family: DASHBOARD_API, browsers: 'anywhere' } as const
/** Limit for one address, for sign-in and everything before it. */
const STRANGER_LIMIT: RateLimit = { name: 'dashboard sign-in', points: 30, seconds: 60 }

type EntryReply<Name extends EntryCallName> = Omit<Reply, 'body'> & { body: EntryApi[Name]['response'] }

interface PersonRoute<Name extends EntryCallName, Body extends TSchema, Query extends TSchema> {
  body?: Body
  query?: Query
  /** In production, also open to a person who has yet to add a second factor. */
  mayLackFactor?: true
  /** Limits in addition to those of every person. */
  limits?: Limit<PersonCaller>[]
  handle(call: Call<Static<Body>, Static<Query>, PersonCaller>): Promise<EntryReply<Name>>
}

interface StrangerRoute<Name extends EntryCallName, Body extends TSchema> {
  body: Body
  handle(call: Call<Static<Body>, unknown, { oldToken: string | null }>, from: From): Promise<EntryReply<Name>>
}

export type PersonRoutes = ReturnType<typeof createPersonRoutes>

export function createPersonRoutes(context: SessionContext) {
  const { makeRateLimiter } = context
  const perAddress = makeRateLimiter(STRANGER_LIMIT)
  const kinds = { read: personLimit(makeRateLimiter, 'read'), write: personLimit(makeRateLimiter, 'write') }
  return {
    /** Makes a route for the signed-in person. */
    person<Name extends EntryCallName, Body extends TSchema, Query extends TSchema>(
      name: Name,
      { mayLackFactor, limits = [], body, query, handle }: PersonRoute<Name, Body, Query>,
    ): Route {
      const { method, path } = addressOf(name)
      return route({
        ...SHARED,
        method,
        path,
        access: personAccess(context, { mayLackFactor: mayLackFactor ?? false }),
        limits: [kinds[method === 'GET' ? 'read' : 'write'], ...limits],
        ...(body && { body }),
        ...(query && { query }),
        handle,
      })
    },
    /** Makes a route for everybody. */
    stranger<Name extends EntryCallName, Body extends TSchema>(
      name: Name,
      { body, handle }: StrangerRoute<Name, Body>,
    ): Route {
      return route({
        ...SHARED,
        ...addressOf(name),
        access: strangerAccess(context),
        perAddress,
        body,
        handle: (call) => handle(call, fromOf(call)),
      })
    },
    /** Returns the part of a response that starts a session: its cookie, and its token for `X-CSRF-Token`. */
    withSession: ({ id, token }: NewSession) => ({
      headers: { 'set-cookie': setSessionCookie(context.keyring, context.dashboardOrigin, token) },
      csrf: csrfToken(context.keyring, id),
    }),
    /** Returns the part of a response that ends a session. */
    withoutSession: () => ({
      headers: { 'set-cookie': clearSessionCookie(context.dashboardOrigin), 'clear-site-data': '"cache", "storage"' },
    }),
  }
}

const fromOf = ({ ip, userAgent, requestId, caller }: Call<unknown, unknown, { oldToken: string | null }>): From => ({
  browser: { ip, userAgent: userAgent?.slice(0, 300) ?? null },
  requestId,
  oldToken: caller.oldToken,
})

function addressOf(name: string): { method: Route['method']; path: string } {
  const [method, path = ''] = name.split(' ')
  return { method: method as Route['method'], path }
}
