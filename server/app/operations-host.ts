import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { pendingMigrations } from '../db/migrate.ts'
import { healthRoutes, metricsRoute } from '../http/health-routes.ts'
import type { Metrics } from '../http/metrics.ts'
import type { RateLimiter } from '../http/rate-limit.ts'
import type { Route } from '../http/route.ts'
import { createServer } from '../http/server.ts'
import type { Clock } from '../lib/clock.ts'
import { createTtlCache } from '../lib/ttl-cache.ts'
import type { Listener } from './listener.ts'
import type { Resources } from './services.ts'

/** Creates the listener for the operator's tools: metrics and probes. */
export function createOperationsHost(
  metrics: Metrics,
  health: Route[],
  listener: Listener,
  anonymousLimiter: RateLimiter,
): { operations: FastifyInstance; routes: Route[] } {
  const figures = metricsRoute(metrics)
  return {
    operations: createServer({ ...listener, routes: [...health, figures], anonymousLimiter }),
    routes: [figures],
  }
}

/** Returns the probes. They need no credential, so they query the database at most once a second. */
export function probesOf({ database, jobs }: Resources, clock: Clock): Route[] {
  const readiness = createTtlCache<string[]>(clock)
  const load = async () => [...(await missingInDatabase(database.pool)), ...(jobs.isRunning ? [] : ['worker'])]
  return healthRoutes({ missing: async () => (await readiness.get('missing', load)) ?? [] })
}

async function missingInDatabase(pool: pg.Pool): Promise<string[]> {
  try {
    return (await pendingMigrations(pool)) === 0 ? [] : ['migrations']
  } catch {
    return ['database']
  }
}
