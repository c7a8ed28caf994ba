import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { simulate } from './recurring/simulate.ts'

// A short run of the simulation of the billing engine, against the invariants of
// docs/specification/billing-invariants.md. `npm run simulate -- --seed 1 --days 730` runs longer ones, and `--mutants`
// shows that it finds defects.

const DAYS = 100
const POPULATION = 10

describe('the billing engine in simulated time', { concurrency: false }, () => {
  for (const seed of [1, 2]) {
    test(`seed ${seed}, ${DAYS} days: npm run simulate -- --seed ${seed} --days ${DAYS} --population ${POPULATION}`, async () => {
      await simulate({ seed, days: DAYS, population: POPULATION })
    })
  }

  test('the same seed does the same again', async () => {
    const short = { seed: 3, days: 15, population: 6 }
    equal((await simulate(short)).hash, (await simulate(short)).hash)
  })
})
