import type { Member } from '../access/sessions/session.ts'
import type { Call } from '../http/route.ts'

/** A call by a signed-in person about the business in its path. */
export interface DashboardCall<Body = unknown, Query = unknown> extends Call<Body, Query, Member> {
  member: Member
}

export const withMember = <Body, Query>(call: Call<Body, Query, Member>): DashboardCall<Body, Query> => ({
  ...call,
  member: call.caller,
})
