import Type, { type Static } from 'typebox'
import { Day, Uuid } from '../formats.ts'

// The calls of the calendar of bills.

/** The first and the last day, both inclusive. */
export const UpcomingQuery = Type.Object({ from: Day(), to: Day(), product: Type.Optional(Uuid()) })
export const UpcomingDayQuery = Type.Object({ day: Day(), product: Type.Optional(Uuid()) })

export interface UpcomingCount {
  count: number
  /** Amount in cents. */
  amount: number
}

export interface UpcomingDay {
  day: string
  /** Bills of running subscriptions. */
  bills: UpcomingCount
  /** Declined bills that are retried. */
  retries: UpcomingCount
  /** First bills of subscriptions that start. */
  starts: UpcomingCount
  pauses: number
  cancellations: number
}

export interface UpcomingItem {
  kind: 'bill' | 'retry' | 'start' | 'pause' | 'cancel'
  subscription: string
  customer: string | null
  description: string
  /** Amount in cents; 0 for a pause or a cancellation. */
  amount: number
}

export interface CalendarApi {
  'GET /bills/upcoming': {
    query: Static<typeof UpcomingQuery>
    response: {
      object: 'upcoming_bills'
      currency: 'usd' | 'cad'
      today: string
      /** Days that have at least one entry, oldest first. */
      days: UpcomingDay[]
    }
  }
  'GET /bills/upcoming/day': {
    query: Static<typeof UpcomingDayQuery>
    response: { object: 'list'; data: UpcomingItem[]; has_more: boolean }
  }
}
