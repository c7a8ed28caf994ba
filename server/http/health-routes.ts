import { ApiError } from '../lib/errors.ts'
import { PUBLIC_PATHS } from './family.ts'
import type { Metrics } from './metrics.ts'
import { publicAccess, type Route, route } from './route.ts'

export interface Health {
  /** Returns what is missing: `database`, `migrations`, `worker`; empty when the service is ready. */
  missing(): Promise<string[]>
}

/** Returns the routes of the operator's probes. `/healthz`: the process runs. `/readyz`: it can take payments. */
export function healthRoutes(health: Health): Route[] {
  return [
    route({
      method: 'GET',
      path: '/healthz',
      family: PUBLIC_PATHS,
      access: publicAccess,
      browsers: 'anywhere',
      perAddress: null,
      handle: () => ({ body: { ok: true } }),
    }),
    route({
      method: 'GET',
      path: '/readyz',
      family: PUBLIC_PATHS,
      access: publicAccess,
      browsers: 'anywhere',
      perAddress: null,
      async handle() {
        const missing = await health.missing()
        if (missing.length === 0) return { body: { ok: true } }
        throw new ApiError('unavailable', { message: `Not ready: ${missing.join(', ')}`, extra: { missing } })
      },
    }),
  ]
}

/** Metrics reveal volumes and failure rates, so they are never on a listener that the public can reach. */
export function metricsRoute(metrics: Metrics): Route {
  return route({
    method: 'GET',
    path: '/metrics',
    family: PUBLIC_PATHS,
    access: publicAccess,
    handle: async () => ({
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: await metrics.text(),
    }),
  })
}
