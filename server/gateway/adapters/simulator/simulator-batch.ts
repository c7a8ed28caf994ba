import Type, { type Static } from 'typebox'
import type { Exchange } from '../../../lib/http-exchange.ts'
import type { Cents } from '../../../lib/money.ts'
import { responseSchema } from '../../../lib/response-schema.ts'
import type { BatchResult, GatewayBatch, SettleResult } from '../../gateway.ts'

// Parses the simulator's responses about batches. An invalid response is an unknown outcome.

const Count = Type.Integer({ minimum: 0 })

const Batch = Type.Object({
  name: Type.String({ pattern: '^[!-~]{1,64}$' }),
  state: Type.Unsafe<GatewayBatch['state']>({ type: 'string', enum: ['open', 'settled'] }),
  salesCount: Count,
  salesAmount: Count,
  refundsCount: Count,
  refundsAmount: Count,
  voidsCount: Count,
  voidsAmount: Count,
  reference: Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()]),
})

const inquirySchema = responseSchema(
  Type.Union([Type.Object({ found: Type.Literal(false) }), Type.Object({ found: Type.Literal(true), batch: Batch })]),
)
const settledSchema = responseSchema(Type.Object({ ok: Type.Literal(true), batch: Batch }))
const refusedSchema = responseSchema(
  Type.Object({
    ok: Type.Literal(false),
    error: Type.String({ maxLength: 64 }),
    message: Type.String({ maxLength: 200 }),
  }),
)

export function batchResult(exchange: Exchange): BatchResult {
  if (exchange.kind !== 'response') return indeterminate(exchange.message)
  if (exchange.status !== 200) return indeterminate(`HTTP ${exchange.status}`)
  const { body } = exchange
  if (!inquirySchema.matches(body)) return indeterminate('the batch response is indeterminate or invalid')
  return body.found ? { found: true, batch: batchFrom(body.batch) } : { found: false }
}

export function settleResult(exchange: Exchange): SettleResult {
  if (exchange.kind === 'not_sent') return { outcome: 'not_sent', message: exchange.message }
  if (exchange.kind === 'no_response') return { outcome: 'unknown', message: exchange.message }
  if (exchange.status !== 200) return { outcome: 'unknown', message: `HTTP ${exchange.status}` }
  const { body } = exchange
  if (refusedSchema.matches(body)) return { outcome: 'refused', code: body.error, message: body.message }
  if (!settledSchema.matches(body)) return { outcome: 'unknown', message: 'the settle response is invalid' }
  const batch = batchFrom(body.batch)
  if (batch.state === 'settled') return { outcome: 'settled', batch }
  return { outcome: 'unknown', message: 'settled, but the batch is open' }
}

const indeterminate = (message: string): BatchResult => ({ found: 'indeterminate', code: 'unavailable', message })

function batchFrom({ name, state, reference, ...totals }: Static<typeof Batch>): GatewayBatch {
  return {
    name,
    state,
    settlementReference: reference,
    totals: {
      salesCount: totals.salesCount,
      salesAmount: totals.salesAmount as Cents,
      refundsCount: totals.refundsCount,
      refundsAmount: totals.refundsAmount as Cents,
      voidsCount: totals.voidsCount,
      voidsAmount: totals.voidsAmount as Cents,
    },
  }
}
