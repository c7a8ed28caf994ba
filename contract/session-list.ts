import Type, { type Static } from 'typebox'
import { SESSION_STATUSES } from './checkout-session.ts'
import { Day, Line, OneOf, Uuid } from './formats.ts'

const PER_PAGE_MAX = 100

/** Query of `GET /api/{business_id}/checkout-sessions`: filters and page (CHK-36). */
export const SessionListQuery = Type.Object({
  /** Days of the business's time zone, both inclusive. */
  fromDate: Type.Optional(Day()),
  toDate: Type.Optional(Day()),
  /** Words of a name or an e-mail address (DSH-175). */
  customer: Type.Optional(Line(255)),
  status: Type.Optional(OneOf(SESSION_STATUSES)),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  /** Set in the links to other pages, so that no session appears twice while new ones are created. */
  startingAt: Type.Optional(
    Type.Unsafe<string>({
      ...Uuid(),
      description: 'The first session of the first page. Newer sessions are left out.',
    }),
  ),
  perPage: Type.Integer({ minimum: 1, maximum: PER_PAGE_MAX, default: 10 }),
})
export type SessionListQuery = Static<typeof SessionListQuery>
