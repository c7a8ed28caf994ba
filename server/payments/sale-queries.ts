import type { Placeholders, Values } from '../db/statement.ts'
import type { NewOperation } from './new-operation.ts'
import type { ChargeOwnerKind } from './operation.ts'
import type { Outcome } from './outcome-queries.ts'

// The SQL of the usual course of a sale: sent, then approved or declined. Other outcomes use the general statements of
// outcome-queries.ts. An approval changes no indexed column, so that the update is HOT.

const SALE_COLUMNS = `business_id, id, kind, owner_kind, owner_id, merchant_ref, terminal_id, amount, currency, card_brand,
      card_first6, card_last4, card_fingerprint, stored_card_id, customer_id, payer_ip_prefix, sent_at, deadline_at`

const saleColumns = (
  p: Placeholders,
  ownerKind: ChargeOwnerKind,
) => `${p.businessId}::uuid, ${p.operationId}::uuid, 'sale',
      '${ownerKind}', ${p.ownerId}::uuid, ${p.merchantRef}::text, ${p.terminalId}::uuid, ${p.amount}::bigint, ${p.currency}::text,
      ${p.cardBrand}::text, ${p.cardFirst6}::text, ${p.cardLast4}::text, ${p.cardFingerprint}::bytea, ${p.storedCardId}::uuid,
      ${p.customerId}::uuid, ${p.payerIpPrefix}::text, ${p.sentAt}::timestamptz, ${p.deadlineAt}::timestamptz`

/** Returns `insert into operation … from <source>`: one row per source row, which the same statement has locked. */
export function insertSale(p: Placeholders, ownerKind: ChargeOwnerKind, source: string): string {
  const openCardSale = ownerKind === 'stored_card_sale' ? `${p.storedCardId}::uuid` : 'null'
  return `insert into operation (${SALE_COLUMNS}, state, open_card_sale)
    select ${saleColumns(p, ownerKind)}, 'SENT', ${openCardSale} from ${source}`
}

/** Like `insertSale`, for a sale that failed before anything was sent: there is nothing to inquire about. */
export function insertUnsentSale(p: Placeholders, ownerKind: ChargeOwnerKind, source: string): string {
  return `insert into operation (${SALE_COLUMNS}, state, lost, message, finalized_at)
    select ${saleColumns(p, ownerKind)}, 'NOT_SENT', true, ${p.message}::text, ${p.sentAt}::timestamptz from ${source}`
}

export function saleValues({ card, storedCard, ...sale }: NewOperation): Values {
  return {
    businessId: sale.businessId,
    operationId: sale.id,
    ownerId: sale.owner.id,
    merchantRef: sale.merchantRef,
    terminalId: sale.terminalId,
    amount: sale.amount,
    currency: sale.currency,
    cardBrand: card?.brand ?? null,
    cardFirst6: card?.first6 ?? null,
    cardLast4: card?.last4 ?? null,
    cardFingerprint: card?.fingerprint ?? null,
    storedCardId: storedCard?.id ?? null,
    customerId: storedCard?.customerId ?? null,
    payerIpPrefix: sale.payerIpPrefix ?? null,
    sentAt: sale.sentAt,
    deadlineAt: sale.deadlineAt,
  }
}

/**
 * Returns the fence: this writer's epoch is current, and the outcome is still open (PAY-6). The state prevents a result
 * from being recorded twice, or over a reversal. The epoch would matter only if recovery sent a void before it had
 * recorded the reversal.
 */
const fence = (p: Placeholders, condition: string) =>
  `operation.business_id = ${p.businessId}::uuid and operation.id = ${p.operationId}::uuid
      and operation.epoch = ${p.epoch}::integer and state in ('SENT', 'IN_DOUBT') and ${condition}`

/** Stores the gateway's reference, which must be unique. */
const referenced = (p: Placeholders, condition: string) => `referenced as (
    insert into gateway_reference (business_id, terminal_id, gateway_ref, operation_id)
    select ${p.businessId}::uuid, terminal_id, ${p.gatewayRef}::text, ${p.operationId}::uuid
    from finalized as source where ${condition}
  )`

/**
 * Returns the members `finalized` and `referenced` of a `with`. `finalized` has one row if this writer still owned the
 * outcome.
 *
 * @param source only for several sales at once: the `with` member that has a row for each sale; `finalized` also
 *   returns its columns
 */
export function approveSale(p: Placeholders, condition = 'true', source?: string): string {
  return `finalized as (
    update operation set state = 'APPROVED', code = ${p.code}::text, message = ${p.message}::text,
      gateway_ref = ${p.gatewayRef}::text, issuer_reference = ${p.issuerReference}::text,
      network_transaction_id = ${p.networkTransactionId}::text, avs_result = ${p.avsResult}::text,
      cvv_result = ${p.cvvResult}::text, finalized_at = ${p.now}::timestamptz,
      open_card_sale = null, next_inquiry_at = null${source ? ` from ${source} as source` : ''}
    where ${fence(p, condition)}
    returning ${source ? 'source.*, ' : ''}terminal_id, stored_card_id, amount, currency, card_brand, card_first6, card_last4
  ), ${referenced(p, 'true')}`
}

/** Like `approveSale`, for a decline. Few gateways return a reference for one. */
export function declineSale(p: Placeholders, condition = 'true'): string {
  return `finalized as (
    update operation set state = 'DECLINED', lost = true, code = ${p.code}::text, lost_code = ${p.code}::text,
      message = ${p.message}::text,
      gateway_ref = ${p.gatewayRef}::text, avs_result = ${p.avsResult}::text, cvv_result = ${p.cvvResult}::text,
      counts_as_attempt = ${p.countsAsAttempt}::boolean,
      finalized_at = ${p.now}::timestamptz, declined_at = ${p.now}::timestamptz, open_card_sale = null, next_inquiry_at = null
    where ${fence(p, condition)}
    returning terminal_id
  ), ${referenced(p, `${p.gatewayRef}::text is not null`)}`
}

export function outcomeValues(outcome: Outcome): Values {
  return {
    businessId: outcome.businessId,
    operationId: outcome.operationId,
    epoch: outcome.epoch,
    code: outcome.code ?? null,
    message: outcome.message ?? null,
    gatewayRef: outcome.gatewayRef ?? null,
    issuerReference: outcome.issuerReference ?? null,
    networkTransactionId: outcome.networkTransactionId ?? null,
    avsResult: outcome.avsResult ?? null,
    cvvResult: outcome.cvvResult ?? null,
    countsAsAttempt: outcome.countsAsAttempt ?? false,
    now: outcome.now,
  }
}
