import { resolveOperations } from '../../server/payments/recovery/resolve-operations.ts'
import { payBody, payerOf, type Response } from './merchant.ts'
import { moneyRows } from './money-rows.ts'
import { movableClock } from './movable-clock.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'

/** 15 s are 1.5 s. What comes after silence is not waited for: the clock is set forward. */
const TIME_SCALE = 0.1
const STEP_SECONDS = 20
const STEPS_MAX = 60

export type ServiceWithClock = TestService & { clock: ReturnType<typeof movableClock>; timeScale: number }

/** A service whose clock the test moves. Its worker runs, because an unknown outcome enqueues its job. */
export async function openServiceWithClock(options: TestServiceOptions = {}): Promise<ServiceWithClock> {
  const clock = movableClock()
  const { timeScale = TIME_SCALE } = options
  const service = await openService({ ...options, timeScale, clock })
  await service.app.startWorker()
  return { ...service, clock, timeScale }
}

/** Pays by a card whose response comes after the socket is closed; the gateway does what the card stands for all the same. */
export async function payWithoutResponse(service: TestService, token: string, cardNumber?: string): Promise<Response> {
  const silenceMs = 60_000 * TIME_SCALE
  await service.simulator.script({ latency: { minMs: silenceMs, maxMs: silenceMs } })
  const response = await payerOf(service).pay(token, payBody(cardNumber))
  await service.simulator.resetScript()
  return response
}

/** Sets the clock forward and resolves, until nothing is open. */
export async function resolveAll(service: ServiceWithClock): Promise<void> {
  await using book = moneyRows(service.databaseUrl)
  for (let step = 0; (await book.countOpen()) > 0; step++) {
    if (step === STEPS_MAX) throw new Error(`Still open: ${JSON.stringify(await book.operations())}`)
    await resolveNext(service)
  }
}

/** One step of the clock, and what is due then. */
export async function resolveNext({ clock, app, timeScale }: ServiceWithClock): Promise<void> {
  clock.advance(STEP_SECONDS * timeScale)
  await resolveOperations(app.services)
}
