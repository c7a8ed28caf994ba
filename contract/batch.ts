import Type, { type Static } from 'typebox'
import { Currency, EpochSeconds, Moment, Nullable, OneOf, Uuid } from './formats.ts'
import { ListOf } from './list.ts'

export const BATCH_STATUSES = ['open', 'settling', 'settled'] as const
export type BatchStatus = (typeof BATCH_STATUSES)[number]

const Count = Type.Integer({ minimum: 0 })
const Cents = Type.Integer({ minimum: 0 })
const Decimal = Type.Number({ minimum: 0 })
const BRANDS = 'Sales that are not voided, by brand, as Rialto has recorded them.'

/** A batch as the merchant API and its events show it. Amounts in cents. */
export const Batch = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('batch'),
    number: Type.Integer({ minimum: 1, description: 'Counts the batches of a terminal from 1.' }),
    status: Type.Unsafe<BatchStatus>({
      ...OneOf(BATCH_STATUSES),
      description: '`settling`: its settlement is under way, or its outcome is not known yet.',
    }),
    terminal_id: Uuid(),
    currency: OneOf(['usd', 'cad']),
    opened_at: Nullable(EpochSeconds()),
    settled_at: Nullable(EpochSeconds()),
    settlement_reference: Nullable(Type.String()),
    sales_count: Count,
    sales_amount: Cents,
    refunds_count: Count,
    refunds_amount: Cents,
    voids_count: Count,
    voids_amount: Cents,
    net_amount: Type.Integer({ description: 'Sales minus refunds; a voided sale is in neither.' }),
    by_brand: Type.Array(Type.Object({ brand: Type.String(), count: Count, amount: Cents }), { description: BRANDS }),
    created: EpochSeconds(),
  },
  { title: 'Batch' },
)
export type Batch = Static<typeof Batch>

export const BatchList = ListOf(Batch, 'BatchList')

/** A batch in the checkout API: amounts in major units, times in ISO 8601. */
export const CheckoutBatch = Type.Object(
  {
    id: Uuid(),
    number: Type.Integer({ minimum: 1 }),
    status: OneOf(BATCH_STATUSES),
    terminal_id: Uuid(),
    currency: Currency(),
    opened_at: Type.Unsafe<string | null>({
      ...Nullable(Moment()),
      description: 'The first transaction; `null` when empty.',
    }),
    sales_count: Count,
    sales_amount: Decimal,
    refunds_count: Count,
    refunds_amount: Decimal,
    voids_count: Count,
    voids_amount: Decimal,
    net_amount: Type.Number({ description: 'Sales minus refunds; a voided sale is in neither.' }),
    by_brand: Type.Array(Type.Object({ brand: Type.String(), count: Count, amount: Decimal }), { description: BRANDS }),
    settled_at: Type.Optional(Moment()),
    settlement_reference: Type.Optional(Nullable(Type.String())),
  },
  { title: 'CheckoutBatch' },
)
export type CheckoutBatch = Static<typeof CheckoutBatch>

export const BatchResponse = Type.Object(
  { ok: Type.Literal(true), message: Type.String(), batch: CheckoutBatch },
  { title: 'BatchResponse' },
)
export type BatchResponse = Static<typeof BatchResponse>

const OfCurrency = Type.Optional(
  Type.Unsafe<'USD' | 'CAD'>({
    ...Currency(),
    description: 'Currency of the terminal; by default that of the business.',
  }),
)

export const BatchBalanceQuery = Type.Object({ currency: OfCurrency })

export const BatchSettle = Type.Object(
  {
    expected_net_amount: Type.Optional(
      Type.Number({
        minimum: -99_999_999_999,
        maximum: 99_999_999_999,
        description: 'In major units: 409 when the batch has another net amount now.',
      }),
    ),
    currency: OfCurrency,
  },
  { title: 'BatchSettle' },
)
export type BatchSettle = Static<typeof BatchSettle>
