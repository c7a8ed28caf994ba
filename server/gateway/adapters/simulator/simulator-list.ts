import Type from 'typebox'
import type { Cents, Currency } from '../../../lib/money.ts'
import { responseSchema } from '../../../lib/response-schema.ts'
import type { ListedTransaction, ListResult } from '../../gateway.ts'

const STATES = ['approved', 'partial', 'declined', 'voided', 'refunded'] as const

const REFERENCE_CHARACTERS_MAX = 64

const oneOf = <Word extends string>(words: readonly Word[]) => Type.Unsafe<Word>({ type: 'string', enum: [...words] })

const Page = Type.Object({
  transactions: Type.Array(
    Type.Object({
      kind: oneOf(['sale', 'refund']),
      merchantRef: Type.String(),
      gatewayRef: Type.String({ pattern: '^[!-~]{1,64}$' }),
      state: oneOf(STATES),
      approvedAmount: Type.Integer({ minimum: 0 }),
      currency: oneOf<Currency>(['USD', 'CAD']),
      at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 }),
    }),
  ),
  next: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
})

const pageSchema = responseSchema(Page)

/** Parses a page of the simulator's list. One invalid transaction makes the whole page unusable. */
export function readList(page: unknown): ListResult {
  if (!pageSchema.matches(page)) return { listed: false, message: 'the list response is invalid' }
  const transactions = page.transactions.map(
    ({ kind, merchantRef, gatewayRef, state, approvedAmount, currency, at }): ListedTransaction => ({
      kind,
      // A reference that is not ours may be any text. Our references are shorter than the limit.
      merchantRef: merchantRef.replaceAll('\u0000', '').slice(0, REFERENCE_CHARACTERS_MAX),
      gatewayRef,
      state,
      approvedAmount: approvedAmount as Cents,
      currency,
      at: new Date(at),
    }),
  )
  return { listed: true, transactions, next: page.next }
}
