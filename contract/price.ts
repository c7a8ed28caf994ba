import Type, { type Static } from 'typebox'
import { EpochSeconds, Line, Metadata, Nullable, OneOf, Refused, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'

const NICKNAME_MAX = 255
/** Largest unit amount, in cents: a session may not ask for more (CAT-4). */
const UNIT_AMOUNT_MAX = 99_999_999

export const INTERVALS = ['day', 'week', 'month', 'year'] as const

const Recurring = Type.Object(
  {
    interval: OneOf(INTERVALS),
    interval_count: Type.Integer({
      default: 1,
      description: 'Supported values: day 1; week 1, 2; month 1, 3, 6; year 1.',
    }),
  },
  { title: 'Recurring' },
)
export type Recurring = Static<typeof Recurring>

const UNCHANGEABLE = 'cannot be changed: create a new price and deactivate this one'

export const PriceCreate = Type.Object(
  {
    product: Uuid(),
    unit_amount: Type.Integer({
      minimum: 1,
      maximum: UNIT_AMOUNT_MAX,
      description: 'In the smallest unit of the currency.',
    }),
    /** Absent for a one-time price. */
    recurring: Type.Optional(Recurring),
    nickname: Type.Optional(Line(NICKNAME_MAX)),
    active: Type.Boolean({ default: true }),
    metadata: Type.Optional(Metadata()),
    currency: Refused('is taken from the business and cannot be sent'),
  },
  { title: 'PriceCreate' },
)
export type PriceCreate = Static<typeof PriceCreate>

/** Absent fields stay as they are; `null` clears a field. Metadata is replaced as a whole. */
export const PriceUpdate = Type.Object(
  {
    nickname: Type.Optional(Nullable(Line(NICKNAME_MAX))),
    active: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Nullable(Metadata())),
    product: Refused(UNCHANGEABLE),
    unit_amount: Refused(UNCHANGEABLE),
    currency: Refused(UNCHANGEABLE),
    recurring: Refused(UNCHANGEABLE),
  },
  { title: 'PriceUpdate' },
)
export type PriceUpdate = Static<typeof PriceUpdate>

export const Price = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('price'),
    product: Uuid(),
    unit_amount: Type.Integer({ minimum: 1 }),
    currency: OneOf(['usd', 'cad']),
    recurring: Nullable(Type.Object({ interval: OneOf(INTERVALS), interval_count: Type.Integer() })),
    nickname: Nullable(Type.String()),
    active: Type.Boolean(),
    metadata: Metadata(),
    created: EpochSeconds(),
  },
  { title: 'Price' },
)
export type Price = Static<typeof Price>

export const PriceListQuery = Type.Object({
  ...PAGE,
  product: Type.Optional(Type.Unsafe<string>({ ...Uuid(), description: 'Only prices of this product.' })),
  active: Type.Optional(Type.Boolean({ description: 'Only active prices, or only inactive ones.' })),
})

export const PriceList = ListOf(Price, 'PriceList')
