import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Clock } from '../lib/clock.ts'
import { businessNow } from './business.ts'

const clock: Clock = { now: () => new Date('2026-03-01T12:00:00Z'), monotonicMs: () => 0 }

describe('The time of a business', () => {
  test('is real time while its test clock was not moved', () => {
    equal(businessNow(clock, { clockOffsetSeconds: 0 }).toISOString(), '2026-03-01T12:00:00.000Z')
  })

  test('is ahead by what its test clock was moved', () => {
    equal(businessNow(clock, { clockOffsetSeconds: 31 * 86_400 }).toISOString(), '2026-04-01T12:00:00.000Z')
  })
})
