import { BEHAVIOURS } from './behaviours.ts'
import type { LedgerRow } from './ledger-row.ts'
import { type Intent, type Parts, type Reply, record, refuse } from './record.ts'
import { chosen, magicCardOf } from './sale.ts'
import type { RefundBody, VoidBody } from './wire.ts'

/** Cancels a sale whose batch is open. Idempotent: voiding a voided sale is approved. */
export function voidSale(parts: Parts, terminal: string, body: VoidBody): Reply {
  const sale = parts.ledger.sale(terminal, body.gatewayRef)
  const intent = intentOf('void', terminal, body, sale, sale?.approvedAmount ?? 0)
  return voidOrRefund(parts, intent, sale, sale && reasonNotToVoid(parts, sale))
}

/** Refunds part or all of a sale, before or after its batch is settled. */
export function refundSale(parts: Parts, terminal: string, body: RefundBody): Reply {
  const sale = parts.ledger.sale(terminal, body.gatewayRef)
  const intent = intentOf('refund', terminal, body, sale, body.amount)
  return voidOrRefund(parts, intent, sale, sale && reasonNotToRefund(parts, sale, body.amount))
}

function voidOrRefund(
  parts: Parts,
  intent: Intent,
  sale: LedgerRow | undefined,
  reason: string | null | undefined,
): Reply {
  const { op, terminal, merchantRef } = intent
  if (op !== 'void' && op !== 'refund') throw new Error(`${op} is neither a void nor a refund`)
  if (parts.ledger.recorded(terminal, merchantRef)) return record(parts, intent, BEHAVIOURS.duplicate)
  if (!sale) return refuse(parts, intent, 'invalid_request', 'NO SUCH SALE AT THIS TERMINAL')
  if (reason) return refuse(parts, intent, 'not_permitted', reason)

  const earlier = parts.ledger.followUps(sale).filter((row) => row.op === op)
  const rule = (sale.card && magicCardOf(sale.card)?.[op]) ?? 'approved'
  const behaviour =
    parts.script.behaviour({ op, terminal, merchantRef }) ??
    chosen(rule, { amount: intent.amount, earlier, now: parts.script.now() })
  return record(parts, intent, behaviour)
}

function intentOf(
  op: 'void' | 'refund',
  terminal: string,
  { merchantRef, gatewayRef }: VoidBody,
  sale: LedgerRow | undefined,
  amount: number,
): Intent {
  return { op, terminal, currency: sale?.currency ?? 'USD', merchantRef, amount, originalGatewayRef: gatewayRef }
}

function reasonNotToVoid({ ledger }: Parts, sale: LedgerRow): string | null {
  if (sale.outcome === 'declined') return 'THE SALE WAS DECLINED'
  if (ledger.isVoided(sale)) return null
  if (!ledger.isBatchOpen(sale)) return 'BATCH CLOSED: REFUND INSTEAD'
  return ledger.refundedAmount(sale) > 0 ? 'THE SALE HAS REFUNDS' : null
}

function reasonNotToRefund({ ledger }: Parts, sale: LedgerRow, amount: number): string | null {
  if (sale.outcome === 'declined') return 'THE SALE WAS DECLINED'
  if (ledger.isVoided(sale)) return 'THE SALE IS VOIDED'
  return amount > sale.approvedAmount - ledger.refundedAmount(sale) ? 'MORE THAN REMAINS OF THE SALE' : null
}
