import type { EventEnvelope } from '../../../contract/event.ts'
import { msOfId } from '../../lib/ids.ts'
import { type EventsClient, NoResponse } from './events-client.ts'

/**
 * An event can be recorded up to this long after events with later ids: ids are created before their transaction
 * commits.
 */
const LATE_MS = 60_000
/** Limit for a faulty server whose list never ends. */
const PAGES_MAX = 1_000

export interface NewEvents {
  /** Returns the events that were not returned before, oldest first. */
  read(): Promise<EventEnvelope[]>
}

/**
 * Reads what has happened since an instant, each event once.
 *
 * @param since by the service's clock
 */
export function createNewEvents(client: Pick<EventsClient, 'list'>, since: Date): NewEvents {
  const seen = new Set<string>()
  let newestMs = since.getTime()

  return {
    async read() {
      const from = Math.max(since.getTime(), newestMs - LATE_MS)
      const found = (await listSince(client, from)).filter(({ id }) => !seen.has(id))
      for (const { id } of found) seen.add(id)
      newestMs = found.reduce((newest, { id }) => Math.max(newest, msOfId(id)), newestMs)
      for (const id of seen) if (msOfId(id) < newestMs - LATE_MS) seen.delete(id)
      return found.reverse()
    },
  }
}

/** @param fromMs when the id was created: the test clock moves `created` */
async function listSince({ list }: Pick<EventsClient, 'list'>, fromMs: number): Promise<EventEnvelope[]> {
  const found: EventEnvelope[] = []
  let after: string | undefined
  for (let page = 0; page < PAGES_MAX; page++) {
    const { events, hasMore } = await list(after)
    const recent = events.filter(({ id }) => msOfId(id) >= fromMs)
    found.push(...recent)
    if (!hasMore || recent.length < events.length) return found
    after = events.at(-1)?.id
  }
  throw new NoResponse(`There are more events than can be read: ${PAGES_MAX} pages`)
}
