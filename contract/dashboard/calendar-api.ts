import Type, { type Static } from 'typebox'
import { Day, Uuid } from '../formats.ts'

// The calls of the calendar of bills.

/** Both days are included. */
export const UpcomingQuery = Type.Object({ from: Day(), to: Day(), product: Type.Optional(Uuid()) })
export const UpcomingDayQuery = Type.Object({ day: Day(), product: Type.Optional(Uuid()) })

export interface UpcomingCount {
  count: number
  /** In cents. */
  amount: number
}

export interface UpcomingDay {
  day: string
  /** Bills of subscriptions that run. */
  bills: UpcomingCount
  /** Declined bills that are tried again. */
  retries: UpcomingCount
  /** First bills of subscriptions that begin. */
  starts: UpcomingCount
  pauses: number
  cancellations: number
}

export interface UpcomingItem {
  kind: 'bill' | 'retry' | 'start' | 'pause' | 'cancel'
  subscription: string
  customer: string | null
  description: string
  /** 0 for a pause or a cancellation. */
  amount: number
}

export interface CalendarApi {
  'GET /bills/upcoming': {
    query: Static<typeof UpcomingQuery>
    response: {
      object: 'upcoming_bills'
      currency: 'usd' | 'cad'
      today: string
      /** Days with something in them, oldest first. */
      days: UpcomingDay[]
    }
  }
  'GET /bills/upcoming/day': {
    query: Static<typeof UpcomingDayQuery>
    response: { object: 'list'; data: UpcomingItem[]; has_more: boolean }
  }
}
