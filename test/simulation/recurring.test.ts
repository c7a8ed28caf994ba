import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bound } from '../support/deep.ts'
import { simulate } from './recurring/simulate.ts'

// A run of the simulation of the billing engine, against the invariants of
// docs/specification/billing-invariants.md. `npm run simulate -- --seed 1 --days 730` runs longer ones, and `--mutants`
// shows that it finds defects.

const SEEDS = bound({ quick: [1], deep: [1, 2, 3, 4] })
const DAYS = bound({ quick: 60, deep: 365 })
const POPULATION = bound({ quick: 8, deep: 20 })

describe('the billing engine in simulated time', { concurrency: false }, () => {
  for (const seed of SEEDS) {
    test(`seed ${seed}, ${DAYS} days: npm run simulate -- --seed ${seed} --days ${DAYS} --population ${POPULATION}`, async () => {
      await simulate({ seed, days: DAYS, population: POPULATION })
    })
  }

  test('the same seed does the same again', async () => {
    const short = { seed: 3, days: 10, population: 5 }
    equal((await simulate(short)).hash, (await simulate(short)).hash)
  })
})
