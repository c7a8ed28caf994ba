import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import pg from 'pg'
import { pino } from 'pino'
import { request } from 'undici'
import { oauthRoutes } from '../../server/access/oauth-routes.ts'
import { bearerAccess } from '../../server/access/tokens/bearer.ts'
import { createBearerTokens } from '../../server/access/tokens/bearer-tokens.ts'
import { connect } from '../../server/db/connection.ts'
import { createDemoBusiness } from '../../server/demo/create-demo-business.ts'
import type { DemoCredentials } from '../../server/demo/demo-file.ts'
import { databaseRateLimiters } from '../../server/http/database-rate-limit.ts'
import { CHECKOUT_API } from '../../server/http/family.ts'
import { noRateLimiters } from '../../server/http/rate-limit.ts'
import { route } from '../../server/http/route.ts'
import { createServer } from '../../server/http/server.ts'
import type { Clock } from '../../server/lib/clock.ts'
import { createKeyring } from '../../server/lib/keyring.ts'
import { createTestDatabase } from './database.ts'
import { ownerPassword } from './owner-password.ts'

export interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  body: any
}

const NOT_RECORDED = { record() {}, flushed: async () => {} }

export type AccessServer = Awaited<ReturnType<typeof startAccessServer>>

/** Returns a clock that a test advances. */
function movableClock(): Clock & { move(seconds: number): void } {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    monotonicMs: () => performance.now() + ahead,
    move(seconds) {
      ahead += seconds * 1000
    },
  }
}

/**
 * Starts a server with the token paths and one path that requires an access token, on its own database, with a
 * merchant. Requests come from 127.0.0.1, as from a merchant's server.
 */
export async function startAccessServer({
  rateLimits = false,
  trustedProxies = [],
}: {
  rateLimits?: boolean
  trustedProxies?: string[]
} = {}) {
  // Everything that was opened is closed, even if a later step fails.
  await using opened = new AsyncDisposableStack()
  const database = opened.use(await createTestDatabase())
  const { db, close } = connect({ url: database.url })
  opened.defer(close)
  const logged: string[] = []
  const log = pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void logged.push(String(line))) }))
  const context = {
    db,
    keyring: createKeyring([randomBytes(32)]),
    clock: movableClock(),
    environment: 'staging' as const,
    baseUrl: 'http://localhost:4000',
    dashboardUrl: 'http://localhost:4001',
  }
  const bearerTokens = createBearerTokens(context)
  const makeRateLimiter = rateLimits ? databaseRateLimiters(context) : noRateLimiters
  const probe = route({
    method: 'GET',
    path: '/api/{business_id}/checkout-sessions',
    family: CHECKOUT_API,
    access: bearerAccess({ bearerTokens, allowedIpUse: NOT_RECORDED, makeRateLimiter }),
    handle: ({ caller }) => ({ body: { business: caller.business.name, origin: caller.redirectOrigin } }),
  })
  const routes = [...oauthRoutes({ ...context, bearerTokens, log, makeRateLimiter }), probe]
  const app = createServer({ routes, log, trustedProxies, formOrigin: context.dashboardUrl })
  opened.defer(() => app.close())
  const merchant = (await createDemoBusiness(context, await ownerPassword())) as DemoCredentials
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const base = `http://127.0.0.1:${port}`

  const resources = opened.move()
  return {
    ...context,
    bearerTokens,
    merchant,
    logged: () => logged.join(''),
    url: database.url,
    post: (path: string, body: object | string, headers: Headers = {}) => ask(base + path, 'POST', body, headers),
    /** Calls the path that requires an access token; `null` sends no header. */
    probe: (token: string | null, { businessId = merchant.business_id, headers = {} as Headers } = {}) =>
      ask(`${base}/api/${businessId}/checkout-sessions`, 'GET', undefined, {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...headers,
      }),
    credentials: () => ({ client_id: merchant.client_id, client_secret: merchant.client_secret }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

type Headers = Record<string, string | string[]>

async function ask(
  url: string,
  method: 'GET' | 'POST',
  body?: object | string,
  headers: Headers = {},
): Promise<Response> {
  const form = typeof body === 'string'
  const response = await request(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : form ? body : JSON.stringify(body),
  })
  return { status: response.statusCode, headers: response.headers, body: await response.body.json() }
}

/** Returns every value of every table, as text. */
export async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const parts: string[] = []
    for (const { name } of rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${name} t`)
      parts.push(...found.rows.map(({ row }) => `${name} ${row}`))
    }
    return parts.join('\n')
  } finally {
    await client.end()
  }
}
