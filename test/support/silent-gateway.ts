import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { createJobQueues } from './job-queues.ts'
import { payBody, payerOf, type Response } from './merchant.ts'
import { moneyRows } from './money-rows.ts'
import { movableClock } from './movable-clock.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'

/** Scales 15 s to 1.5 s. Tests do not wait for later times but set the clock forward. */
const TIME_SCALE = 0.1
const STEP_SECONDS = 20
const STEPS_MAX = 60

export type ServiceWithClock = TestService & { clock: ReturnType<typeof movableClock>; timeScale: number }

/** Opens a service with a clock that the test moves. Only jobs that the test runs itself are run. */
export async function openServiceWithClock(options: TestServiceOptions = {}): Promise<ServiceWithClock> {
  const clock = movableClock()
  const { timeScale = TIME_SCALE } = options
  const service = await openService({ ...options, timeScale, clock })
  try {
    await createJobQueues(service)
  } catch (error) {
    await service[Symbol.asyncDispose]()
    throw error
  }
  return { ...service, clock, timeScale }
}

/** Pays with a card whose response arrives after the socket is closed; the gateway processes the sale anyway. */
export async function payWithoutResponse(service: TestService, token: string, cardNumber?: string): Promise<Response> {
  const silenceMs = 60_000 * TIME_SCALE
  await service.simulator.script({ latency: { minMs: silenceMs, maxMs: silenceMs } })
  const response = await payerOf(service).pay(token, payBody(cardNumber))
  await service.simulator.resetScript()
  return response
}

/** Sets the clock forward and runs recovery until no operation is open. */
export async function resolveAll(service: ServiceWithClock): Promise<void> {
  await using book = moneyRows(service.databaseUrl)
  for (let step = 0; (await book.countOpen()) > 0; step++) {
    if (step === STEPS_MAX) throw new Error(`Still open: ${JSON.stringify(await book.operations())}`)
    await resolveNext(service)
  }
}

/** Sets the clock forward once and runs what is due. */
export async function resolveNext({ clock, app, timeScale }: ServiceWithClock): Promise<void> {
  clock.advance(STEP_SECONDS * timeScale)
  await resolveOperations(app.services)
}
