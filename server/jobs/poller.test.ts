import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../test/support/until.ts'
import { createPoller } from './poller.ts'

const NEVER_MS = 3_600_000

describe('A poller', () => {
  function polled(given: { everyMs?: number; gapMs?: number; poll?: () => Promise<void> } = {}) {
    const counts = { polls: 0, errors: 0 }
    const poller = createPoller({
      everyMs: NEVER_MS,
      ...given,
      async poll() {
        counts.polls++
        await given.poll?.()
      },
      onError: () => void counts.errors++,
    })
    return { poller, counts }
  }

  test('polls at its start and again after its time, also when a poll fails', async () => {
    const { poller, counts } = polled({ everyMs: 5, poll: () => Promise.reject(new Error('away')) })
    poller.start()
    await until('it has polled three times', () => counts.polls >= 3)
    await poller.stop()
    ok(counts.errors >= 3)
    const { polls } = counts
    await sleep(30)
    equal(counts.polls, polls)
  })

  test('polls sooner when that is asked for, once for all who ask, and not while it is stopped', async () => {
    const { poller, counts } = polled({ gapMs: 30 })
    poller.within(0)
    poller.start()
    await sleep(0)
    for (let asked = 0; asked < 10; asked++) poller.within(0)
    equal(counts.polls, 1)
    await until('it has polled', () => counts.polls > 1)
    await sleep(60)
    equal(counts.polls, 2)
    await poller.stop()
    poller.within(0)
    await sleep(60)
    equal(counts.polls, 2)
  })

  test('polls again for what is asked for during a poll and at its very end, never twice at once', async () => {
    let ends: (() => void)[] = []
    const { poller, counts } = polled({ poll: () => new Promise((resolve) => void ends.push(resolve)) })
    poller.start()
    poller.within(0)
    await sleep(20)
    deepEqual([counts.polls, ends.length], [1, 1])
    for (let polls = 2; polls < 50; polls++) {
      const [end] = ends
      ends = []
      end?.()
      // Each time in a different microtask after the end of the poll.
      for (let turns = 0; turns < polls % 6; turns++) await null
      poller.within(0)
      await until('it polls again', () => ends.length === 1)
    }
    const stopped = poller.stop()
    ends[0]?.()
    await stopped
  })
})
