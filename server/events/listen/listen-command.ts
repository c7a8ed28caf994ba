import { setTimeout as sleep } from 'node:timers/promises'
import type { EventEnvelope } from '../../../contract/event.ts'
import { printable } from '../../lib/printable.ts'
import { createEventsClient, KeyRefused, NoResponse } from './events-client.ts'
import { forwardEvent, listenSecret } from './forward-event.ts'
import { type ListenDefaults, type ListenOptions, readListenOptions } from './listen-options.ts'
import { createNewEvents, type NewEvents } from './new-events.ts'

/** A key may be used 60 times a minute, and the developer uses it, too. */
const POLL_MS = 3_000
/** Resolution of the `Date` header: whole seconds. */
const CLOCK_STEP_MS = 1_000
const TYPE_WIDTH = 32

export interface ListenServices {
  print(line: string): void
  /** Aborts to end the command. */
  signal: AbortSignal
  /** Multiplies every wait. */
  timeScale: number
}

/** Thrown if the command cannot continue. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

/**
 * Forwards the events of a running Rialto to a receiver, until it is stopped.
 *
 * @throws UsageError; ListenError if Rialto cannot be reached at the start, or refuses the key
 * @see EVT-30
 */
export async function listenCommand(
  given: ListenServices,
  args: readonly string[],
  defaults: ListenDefaults,
): Promise<void> {
  const services = { ...given, print: (line: string) => given.print(printable(line)) }
  const options = readListenOptions(args, defaults)
  const client = createEventsClient(options, services.signal)
  try {
    const { name, now } = await client.account()
    const since = new Date(now.getTime() - (options.sinceMs ?? CLOCK_STEP_MS))
    const events = createNewEvents(client, since)
    if (options.sinceMs === null) await events.read()
    greet(services, options, name)
    await forwardAll(services, options, events)
  } catch (error) {
    if (services.signal.aborted) return
    if (error instanceof KeyRefused || error instanceof NoResponse) throw new ListenError(printable(error.message))
    throw error
  }
}

function greet({ print }: ListenServices, { url, key, receiver, sinceMs }: ListenOptions, business: string): void {
  print(`Listening to ${business} at ${url}, forwarding to ${receiver.href}`)
  print(`Signing secret: ${listenSecret(key)}`)
  print(`It stays the same for this key. ${sinceMs === null ? 'Events from now on.' : ''}`.trim())
  print('Press Ctrl-C to stop.')
}

async function forwardAll(services: ListenServices, options: ListenOptions, events: NewEvents): Promise<void> {
  const { print, signal, timeScale } = services
  let isLost = false
  while (!signal.aborted) {
    let waitMs = POLL_MS
    try {
      const found = await events.read()
      if (isLost) print('Rialto responds again.')
      isLost = false
      for (const event of found) if (options.receives(event.type)) await forward(services, options, event)
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof NoResponse)) throw error
      if (!isLost) print(`${error.message}. Trying again.`)
      isLost = true
      waitMs = Math.max(POLL_MS, error.retryAfterMs)
    }
    await sleep(waitMs * timeScale, undefined, { signal }).catch(() => {})
  }
}

async function forward(
  services: ListenServices,
  { receiver, credentials, key }: ListenOptions,
  event: EventEnvelope,
): Promise<void> {
  const { print, signal, timeScale } = services
  if (signal.aborted) return
  const { isReceived, result, ms } = await forwardEvent(event, {
    receiver,
    credentials,
    secret: listenSecret(key),
    signal,
    timeScale,
  })
  const time = new Date().toTimeString().slice(0, 8)
  const mark = isReceived ? ' ' : '!'
  print(`${mark} ${time}  ${event.type.padEnd(TYPE_WIDTH)} ${event.id}  ${result} in ${ms} ms`)
}
