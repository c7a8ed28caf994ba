import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { createFairQueue, NobodyWaits, QueueFull } from './fair-queue.ts'

const LIMITS = { waitingMax: 100, waitingOfOwnerMax: 50 }

/** Work that the test finishes by hand. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { todo: () => promise, finish: resolve }
}

describe('A fair queue', () => {
  test('does one at a time, and each owner gets a turn: one who has little waits for one of each other at most', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }), async (owners) => {
        const queue = createFairQueue(LIMITS)
        const first = work()
        const blocked = queue.run('other', first.todo)
        const order: string[] = []
        let running = 0
        const todo = (owner: string) => async () => {
          equal(running++, 0)
          await nextTurn()
          running--
          order.push(owner)
        }
        const all = owners.map((owner) => queue.run(owner, todo(owner)))
        first.finish()
        await Promise.all([blocked, ...all])
        deepEqual(order.toSorted(), owners.toSorted())
        const seen = new Map<string, number>()
        for (const [place, owner] of order.entries()) {
          const before = seen.get(owner) ?? -1
          const others = order.slice(before + 1, place)
          equal(new Set(others).size, others.length, `${order} lets ${owner} wait for an owner twice`)
          seen.set(owner, place)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('refuses more of one owner, and more in all, than may wait, and takes others again later', async () => {
    const queue = createFairQueue({ waitingMax: 3, waitingOfOwnerMax: 2 })
    const first = work()
    const done = [queue.run('a', first.todo)]
    await nextTurn()
    done.push(queue.run('a', first.todo), queue.run('a', first.todo))
    await rejects(queue.run('a', first.todo), QueueFull)
    done.push(queue.run('b', first.todo))
    await rejects(queue.run('c', first.todo), QueueFull)
    first.finish()
    await Promise.all(done)
    equal(await queue.run('a', async () => 1), 1)
  })

  test('drops what nobody waits for, and counts it no longer', async () => {
    const queue = createFairQueue({ waitingMax: 1, waitingOfOwnerMax: 1 })
    const first = work()
    const done = queue.run('a', first.todo)
    await nextTurn()
    let isGone = false
    const dropped = queue.run(
      'a',
      async () => {
        throw new Error('was done')
      },
      () => isGone,
    )
    isGone = true
    const later = queue.run('b', async () => 2)
    await rejects(dropped, NobodyWaits)
    first.finish()
    await done
    equal(await later, 2)
  })

  test('goes on after work that fails', async () => {
    const queue = createFairQueue(LIMITS)
    const failed = queue.run('a', () => Promise.reject(new Error('broken')))
    const after = queue.run('a', async () => 3)
    await rejects(failed, /broken/)
    equal(await after, 3)
  })
})
