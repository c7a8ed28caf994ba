import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { once } from './once.ts'

describe('A value that is made once', () => {
  test('is made on the first call, and is the same for all calls, also concurrent ones', async () => {
    let count = 0
    const value = once(async () => ({ made: ++count }))
    equal(count, 0)
    const [first, second] = await Promise.all([value(), value()])
    equal(first, second)
    equal(await value(), first)
    equal(count, 1)
  })

  for (const [how, fail] of [
    ['rejecting', async () => Promise.reject(new Error('not now'))],
    [
      'throwing',
      () => {
        throw new Error('not now')
      },
    ],
  ] as const) {
    test(`is tried again on the next call when making it failed: ${how}`, async () => {
      let tries = 0
      const value = once<string>(() => (++tries === 1 ? fail() : 'made'))
      const both = await Promise.allSettled([value(), value()])
      deepEqual([both.map(({ status }) => status), tries], [['rejected', 'rejected'], 1])
      equal(await value(), 'made')
      equal(tries, 2)
    })
  }

  test('passes the error on', async () => {
    await rejects(once(() => Promise.reject(new Error('not now')))(), /not now/)
  })
})
