import { TestClock, TestClockAdvanced } from '../../contract/test-clock.ts'
import type { RouteDocument } from '../http/route.ts'

const group = 'Test clock'

const EXAMPLE: TestClock = { object: 'test_clock', now: 1_763_740_860, offset_seconds: 0 }

/** OpenAPI documents of the test clock's routes. */
export const TEST_CLOCK_DOCUMENTS = {
  retrieve: {
    name: 'retrieveTestClock',
    group,
    summary: 'Retrieve the test clock',
    description: 'Staging only. Sessions and billing live in this time. Credentials and rate limits live in real time.',
    responses: { 200: { description: 'The clock.', body: TestClock, example: EXAMPLE } },
  },
  advance: {
    name: 'advanceTestClock',
    group,
    summary: 'Advance the test clock',
    description:
      'Staging only. Moves the business forward by exactly one of `to`, `seconds` and `days`, never back, to at most ten ' +
      'years ahead of real time. Does what falls due on the way, in order: bills, retries, pauses and cancellations at the ' +
      'end of a period, notices of renewals and of cards that expire, expiry of sessions. 409 while another advance runs.',
    responses: {
      200: {
        description: 'The clock as it is now, and what was done on the way.',
        body: TestClockAdvanced,
        example: {
          ...EXAMPLE,
          now: 1_766_419_260,
          offset_seconds: 2_678_400,
          target: 1_766_419_260,
          done: true,
          ran: { bills: 3, approved: 2, declined: 1, in_doubt: 0, expired_sessions: 1 },
        },
      },
    },
    refusals: ['conflict'],
    example: { days: 1 },
  },
} satisfies Record<string, RouteDocument>
