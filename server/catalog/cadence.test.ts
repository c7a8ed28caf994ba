import { deepEqual, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INTERVALS } from '../../contract/price.ts'
import { readCadence } from './cadence.ts'

// CAT-5: daily, weekly, bi-weekly, monthly, quarterly, twice a year, annual.
const SUPPORTED = ['day 1', 'week 1', 'week 2', 'month 1', 'month 3', 'month 6', 'year 1']

describe('Supported recurring cadences', () => {
  for (const interval of INTERVALS) {
    for (const count of [-1, 0, 1, 2, 3, 4, 5, 6, 7, 12, 24]) {
      const isSupported = SUPPORTED.includes(`${interval} ${count}`)
      test(`${interval} ${count} is ${isSupported ? 'one' : 'none: refused on recurring.interval_count'}`, () => {
        const read = () => readCadence({ interval, interval_count: count })
        if (isSupported) deepEqual(read(), { interval, count })
        else throws(read, { code: 'validation_failed', message: /^recurring\.interval_count must be / })
      })
    }
  }
})
