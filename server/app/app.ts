import type { FastifyInstance } from 'fastify'
import type { ClientLibrary } from '../checkout/page/client-library-routes.ts'
import { sessionDoor } from '../checkout/sessions/session-access.ts'
import type { DashboardState } from '../dashboard/document.ts'
import { requireMigrated } from '../db/migrate.ts'
import { startComposeWorker } from '../emails/compose/compose-worker.ts'
import type { LetterWorker } from '../emails/send/letter-worker.ts'
import type { Route } from '../http/route.ts'
import { createApiHost } from './api-host.ts'
import { createFormHost, type PaymentPage } from './form-host.ts'
import { startLetters } from './letters.ts'
import { anonymousLimiter, listenerOf } from './listener.ts'
import { createOperationsHost, probesOf } from './operations-host.ts'
import { createServices, flushed, openResources, type ServiceParts, type Services } from './services.ts'
import { webhooksOf, workersOf } from './workers.ts'

/** The parts of a service. Tests replace those that reach outside the process. */
export interface AppParts extends ServiceParts {
  library: ClientLibrary
  page: PaymentPage
  /** Returns the built pages of the dashboard, if they exist. Without it, they were not built. */
  dashboard?: () => DashboardState
}

export interface App {
  /** Listener at {base_url}. */
  api: FastifyInstance
  /** Listener at {dashboard_url}: the payment form's own origin. */
  form: FastifyInstance
  /** Listener for the operator's tools: metrics and probes. */
  operations: FastifyInstance
  routes: Route[]
  services: Services
  /**
   * Runs the jobs in this process.
   *
   * @throws DatabaseNotMigrated if the database is empty or has an older schema
   */
  startWorker(): Promise<void>
  /** Waits for running requests and jobs to finish, then closes everything. */
  close(): Promise<void>
}

/** Composes services, listeners and jobs. */
export function createApp(parts: AppParts): App {
  const { config, gateways, page, library, dashboard = () => 'missing' } = parts
  const resources = openResources(parts)
  const { database, metrics, jobs, recorders, rootKeys } = resources
  const services = createServices(parts, resources)
  const health = probesOf(resources, services.clock)
  const shared = { services, door: sessionDoor(services), listener: listenerOf(config, services, metrics) }
  const apiParts = { config, recorders, library, assets: page.assets, health }
  const { api, routes, advanceTestClock } = createApiHost({ ...shared, ...apiParts })
  const { baseUrl, walletUrl } = config
  const pageParts = { page, dashboard, advanceTestClock, baseUrl, walletUrl }
  const { form, routes: pages } = createFormHost({ ...shared, ...pageParts, config })
  const webhooks = webhooksOf(config, services, metrics)
  const { operations, routes: figures } = createOperationsHost(
    metrics,
    health,
    shared.listener,
    anonymousLimiter(services),
  )
  let stopComposing: (() => Promise<void>) | undefined
  let letters: LetterWorker | null = null
  return {
    api,
    form,
    operations,
    routes: [...routes, ...pages, ...figures],
    services,
    async startWorker() {
      await requireMigrated(database.pool)
      await jobs.start(workersOf(services))
      webhooks.start()
      stopComposing ??= startComposeWorker(services).stop
      letters = startLetters(services, config)
    },
    async close() {
      // Closes each part, even if closing another one fails.
      await using closing = new AsyncDisposableStack()
      closing.defer(() => database.close())
      closing.defer(() => flushed(recorders))
      closing.defer(async () => void (await Promise.all(Object.values(gateways).map((gateway) => gateway.close()))))
      closing.defer(() => services.threeDsServer?.close())
      closing.defer(() => rootKeys.close())
      closing.defer(() => jobs.stop())
      closing.defer(() => webhooks.stop())
      closing.defer(async () => stopComposing?.())
      closing.defer(() => letters?.stop())
      await Promise.all([api.close(), form.close(), operations.close()])
    },
  }
}
