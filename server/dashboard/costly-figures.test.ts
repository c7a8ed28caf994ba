import { equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { createCostlyFigures } from './costly-figures.ts'

const HOUR_MS = 3_600_000

function counting() {
  let [now, counts] = [0, 0]
  const figures = createCostlyFigures<number>({ monotonicMs: () => now }, HOUR_MS)
  const count = (tookMs: number) => async () => {
    counts++
    await null
    now += tookMs
    return counts
  }
  const look = (tookMs: number) => figures('shop', count(tookMs))
  const wait = (ms: number) => {
    now += ms
  }
  return { look, wait, figures }
}

test('figures are kept for fifty times as long as they took', async () => {
  const { look, wait } = counting()
  equal(await look(10), 1)
  wait(499)
  equal(await look(10), 1)
  wait(2)
  equal(await look(10), 2)
})

test('and not longer than they may be', async () => {
  const { look, wait } = counting()
  await look(HOUR_MS)
  wait(HOUR_MS + 1)
  equal(await look(10), 2)
})

test('who looks while they are counted waits for the same count', async () => {
  const { look } = counting()
  equal((await Promise.all([look(10), look(10)])).join(), '1,1')
})

test('a count that failed is not kept', async () => {
  const { look, figures } = counting()
  await rejects(figures('shop', () => Promise.reject(new Error('away'))))
  equal(await look(10), 1)
})
