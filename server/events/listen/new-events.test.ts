import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EventEnvelope } from '../../../contract/event.ts'
import { firstIdAt } from '../../lib/ids.ts'
import { createNewEvents } from './new-events.ts'

const NOON = Date.parse('2026-11-22T12:00:00Z')
const PAGE = 3
/** Returns an event whose id was created this many seconds after noon. */
const at = (seconds: number) => ({ id: firstIdAt(new Date(NOON + seconds * 1_000)) }) as EventEnvelope

/** Returns a service that lists these events in pages of three. */
function listOf(events: EventEnvelope[]) {
  return {
    async list(after?: string) {
      const newestFirst = events.toSorted((a, b) => (a.id < b.id ? 1 : -1))
      const begin = after === undefined ? 0 : newestFirst.findIndex(({ id }) => id === after) + 1
      return { events: newestFirst.slice(begin, begin + PAGE), hasMore: newestFirst.length > begin + PAGE }
    },
  }
}

describe('New events', () => {
  test('are all since the instant, over many pages, oldest first', async () => {
    const events = [-9, -1, 0, 1, 2, 3, 4, 5].map(at)
    deepEqual(await createNewEvents(listOf(events), new Date(NOON)).read(), events.slice(2))
  })

  test('are returned once', async () => {
    const events = [at(1)]
    const { read } = createNewEvents(listOf(events), new Date(NOON))
    deepEqual(await read(), [at(1)])
    deepEqual(await read(), [])
    events.push(at(2))
    deepEqual(await read(), [at(2)])
  })

  test('have one whose transaction committed after that of a later id', async () => {
    const events = [at(30)]
    const { read } = createNewEvents(listOf(events), new Date(NOON))
    deepEqual(await read(), [at(30)])
    events.push(at(10))
    deepEqual(await read(), [at(10)])
    deepEqual(await read(), [])
  })

  test('are not lost when a page cannot be read', async () => {
    const { list } = listOf([1, 2, 3, 4].map(at))
    let isDown = true
    const client = { list: (after?: string) => (isDown && after ? Promise.reject(new Error('lost')) : list(after)) }
    const { read } = createNewEvents(client, new Date(NOON))
    deepEqual(await read().catch(() => 'lost'), 'lost')
    isDown = false
    deepEqual(await read(), [1, 2, 3, 4].map(at))
  })

  test('read little again after a long time', async () => {
    const events = Array.from({ length: 50 }, (_, index) => at(index * 120))
    const { list } = listOf(events)
    let pages = 0
    const counted = (after?: string) => {
      pages += 1
      return list(after)
    }
    const { read } = createNewEvents({ list: counted }, new Date(NOON))
    await read()
    pages = 0
    await read()
    deepEqual(pages, 1)
  })
})
