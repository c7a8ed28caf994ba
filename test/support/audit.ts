import type { LedgerRowView } from '../../server/gateway/simulator/ledger-row.ts'
import { authenticationsProveOnce } from './audit-authentications.ts'
import { batchesAgree } from './audit-batches.ts'
import { billsArePaidOnce, oneEventABill, paidBillsAgree, wasApproved } from './audit-bills.ts'
import { type BookedOperation, type BookedSession, type Books, readBooks } from './audit-books.ts'
import { findCardData } from './audit-card-data.ts'
import { oneEventARefund, refundsAgree, voidsAgree } from './audit-refunds.ts'

// The audit (AUD-1 to AUD-16) compares the records of the service with the gateway's ledger. Every fault test ends with
// it. It depends on the tables and the ledger, not on the code that writes them.

export interface Finding {
  rule: keyof typeof RULES
  /** Id of the session, payment or gateway row. */
  subject: string
  detail: string
}

export interface AuditInput {
  /** Runs a statement and returns its rows. */
  query: (text: string) => Promise<object[]>
  /** The simulator's whole ledger. */
  rows: LedgerRowView[]
  /** The complete log, which is searched for card data. */
  logs?: string
  now?: Date
}

type Rule = (books: Books) => Omit<Finding, 'rule'>[]

const DAY_MS = 86_400_000
const OPEN = ['SENT', 'IN_DOUBT']
/** Type of the only event of a session, by its status. */
const CLOSING_EVENT: Record<string, string[]> = {
  PENDING: [],
  COMPLETED: ['checkout.session.completed'],
  FAILED: ['checkout.session.failed'],
  EXPIRED: ['checkout.session.expired'],
  CANCELLED: ['checkout.session.canceled'],
}

const RULES = {
  'AUD-1': oneLiveSaleAnOwner,
  'AUD-2': everyLiveSaleIsWanted,
  'AUD-3': (books) => [...everyApprovalIsLive(books), ...voidsAgree(books)],
  'AUD-4': completedMeansPaidOnce,
  'AUD-5': nothingIsForgotten,
  'AUD-6': noLivePartial,
  'AUD-7': refundsAgree,
  'AUD-8': attemptsAreDeclines,
  'AUD-9': oneEventAnOutcome,
  'AUD-10': billsArePaidOnce,
  'AUD-11': paidBillsAgree,
  'AUD-12': noCardData,
  'AUD-13': referencesHold,
  'AUD-14': batchesAgree,
  'AUD-15': ({ eventFaults }) => eventFaults,
  'AUD-16': authenticationsProveOnce,
} satisfies Record<string, Rule>

/**
 * Runs all rules.
 *
 * @returns the violations; empty if both sides agree
 */
export async function audit(input: AuditInput): Promise<Finding[]> {
  const books = await readBooks(input)
  return Object.entries(RULES).flatMap(([rule, find]) =>
    find(books).map((finding) => ({ rule: rule as Finding['rule'], ...finding })),
  )
}

function oneLiveSaleAnOwner({ live, operationOf }: Books): ReturnType<Rule> {
  const byOwner = Map.groupBy(live, (row) => operationOf(row)?.ownerId ?? null)
  return [...byOwner]
    .filter(([owner, rows]) => owner !== null && rows.length > 1)
    .map(([owner, rows]) => ({ subject: String(owner), detail: `${rows.length} live sales` }))
}

function everyLiveSaleIsWanted({ live, operationOf, reversalOf, now }: Books): ReturnType<Rule> {
  const isWanted = (row: LedgerRowView) => {
    const operation = operationOf(row)
    if (!operation) return false
    if (operation.state === 'APPROVED') return true
    const isOpen = OPEN.includes(operation.state) || reversalOf(operation) !== undefined
    return isOpen && now.getTime() - operation.sentAt.getTime() < DAY_MS
  }
  return live
    .filter((row) => !isWanted(row))
    .map((row) => ({ subject: row.merchantRef, detail: `live, but ${operationOf(row)?.state ?? 'unknown here'}` }))
}

function everyApprovalIsLive({ operations, live, paymentOf }: Books): ReturnType<Rule> {
  const isLive = ({ terminal, merchantRef, amount, currency }: BookedOperation) =>
    live.some(
      (row) =>
        row.terminal === terminal &&
        row.merchantRef === merchantRef &&
        row.approvedAmount === amount &&
        row.currency === currency,
    )
  return operations
    .filter((operation) => operation.kind === 'sale' && operation.state === 'APPROVED' && !isLive(operation))
    .filter((operation) => !['refunded', 'voided'].includes(paymentOf(operation)?.status ?? ''))
    .map(({ merchantRef }) => ({ subject: merchantRef, detail: 'APPROVED without a live sale of its amount' }))
}

/** Returns sales on stored cards, which do not belong to a session. */
const soldAlone = ({ operations }: Books) =>
  operations.filter(({ kind, ownerKind }) => kind === 'sale' && ownerKind !== 'session')

function completedMeansPaidOnce(books: Books): ReturnType<Rule> {
  return [...sessionsPaidOnce(books), ...salesPaidOnce(books), ...responsesAgree(books)]
}

const HAS_FAILED_PAYMENTS = ['bill', 'subscription_resume']

function salesPaidOnce(books: Books): ReturnType<Rule> {
  const isRight = ({ id, state, amount, ownerKind }: BookedOperation) => {
    const all = books.payments.filter(({ operationId }) => operationId === id)
    const paid = all.filter(wasApproved)
    if (state === 'APPROVED') return all.length === 1 && paid.length === 1 && paid[0]?.amount === amount
    if (paid.length > 0 || all.length > 1) return false
    const mayFail = FAILED_OF[state] ?? 'never'
    if (!HAS_FAILED_PAYMENTS.includes(ownerKind)) return all.length === 0
    // A declined attempt of a subscription is a separate payment (SUB-35).
    return mayFail === 'maybe' || (all.length === 1) === (mayFail === 'always')
  }
  return soldAlone(books)
    .filter((sale) => !isRight(sale))
    .map(({ merchantRef, state }) => ({ subject: merchantRef, detail: `${state} is not what was paid` }))
}

/**
 * Whether a bill's sale in this state has a failed payment. A reversed one was a partial approval, or voided by others.
 */
const FAILED_OF: Record<string, 'always' | 'maybe'> = {
  DECLINED: 'always',
  REVERSING: 'maybe',
  REVERSED: 'maybe',
  // The sale for a detached card was not sent.
  NOT_SENT: 'maybe',
}

function responsesAgree({ responses, operations, payments }: Books): ReturnType<Rule> {
  return responses.flatMap(({ key, ok, recordId, operationId }) => {
    const sale = operations.find(({ id }) => id === operationId)
    const payment = payments.find((one) => one.operationId === operationId)
    const isRight = (sale?.state === 'APPROVED') === ok && recordId === (ok ? payment?.id : sale?.id)
    return isRight ? [] : [{ subject: key, detail: `answered ok: ${ok}, but the sale is ${sale?.state}` }]
  })
}

function sessionsPaidOnce({ sessions, operations, payments }: Books): ReturnType<Rule> {
  const isRight = ({ id, status, amount, surchargeRate, beginsLater }: BookedSession) => {
    const won = operations.filter((one) => one.sessionId === id && one.kind === 'sale' && one.state === 'APPROVED')
    const paid = payments.filter((payment) => payment.sessionId === id)
    if (status !== 'COMPLETED' || (beginsLater && won.length === 0)) return won.length === 0 && paid.length === 0
    const [sale] = won
    const [payment] = paid
    if (won.length !== 1 || paid.length !== 1) return false
    const { surcharge = 0 } = payment ?? {}
    if (surcharge !== 0 && surcharge !== Math.floor((amount * surchargeRate + 5_000) / 10_000)) return false
    const due = amount + surcharge
    return payment?.operationId === sale?.id && payment?.amount === due && sale?.amount === due
  }
  return sessions
    .filter((session) => !isRight(session))
    .map(({ id, status }) => ({ subject: id, detail: `${status} is not what was paid` }))
}

function nothingIsForgotten({ operations, reversalOf, now }: Books): ReturnType<Rule> {
  const old = operations.filter(
    ({ state, sentAt, needsAttention }) =>
      OPEN.includes(state) && !needsAttention && now.getTime() - sentAt.getTime() > DAY_MS,
  )
  const stuck = operations.filter((operation) => operation.state === 'REVERSING' && reversalOf(operation) === undefined)
  return [
    ...old.map(({ merchantRef }) => ({ subject: merchantRef, detail: 'open for a day, and nobody is told' })),
    ...stuck.map(({ merchantRef }) => ({ subject: merchantRef, detail: 'to be reversed, but nothing reverses it' })),
  ]
}

function noLivePartial({ live, operationOf, reversalOf }: Books): ReturnType<Rule> {
  const isReversed = (row: LedgerRowView) => {
    const operation = operationOf(row)
    return operation !== undefined && reversalOf(operation) !== undefined
  }
  return live
    .filter((row) => row.outcome === 'partial' && !isReversed(row))
    .map(({ merchantRef }) => ({ subject: merchantRef, detail: 'a part of the amount is still held' }))
}

/**
 * Whether the gateway approved it, the policy of the business refused it, and it is reversed or about to be (PAY-29).
 */
const isRefusedByPolicy = ({ code, state }: BookedOperation) =>
  code === 'N7' && (state === 'REVERSING' || state === 'REVERSED')

/** Checks that attempts are declines; a failed authentication may count as one (TDS-12, TDS-13). */
function attemptsAreDeclines({ sessions, operations, rows, authentications }: Books): ReturnType<Rule> {
  const counted = operations.filter((operation) => operation.countsAsAttempt)
  const wasDeclined = (operation: BookedOperation) =>
    rows.some(
      ({ merchantRef, outcome }) =>
        merchantRef === operation.merchantRef &&
        (['declined', 'partial', 'refused'].includes(outcome) ||
          (outcome === 'approved' && isRefusedByPolicy(operation))),
    )
  const wrongCount = sessions.flatMap(({ id, attemptCount, mayVerify }) => {
    const failed = authentications.filter((one) => one.counted && one.sessionId === id).length
    const declines = counted.filter((operation) => operation.sessionId === id).length + failed
    const agrees = mayVerify ? attemptCount >= declines : attemptCount === declines
    const isRight = agrees && attemptCount <= 3
    return isRight ? [] : [{ subject: id, detail: `${attemptCount} attempts, ${declines} declines` }]
  })
  const noDecline = counted.filter((operation) => !wasDeclined(operation))
  return [
    ...wrongCount,
    ...noDecline.map(({ merchantRef }) => ({ subject: merchantRef, detail: 'counted, but never declined' })),
  ]
}

function oneEventAnOutcome(books: Books): ReturnType<Rule> {
  return [...oneEventASession(books), ...oneEventASale(books), ...oneEventARefund(books), ...oneEventABill(books)]
}

/** Checks that a sale has one event. The event of an approval has the payment's id, any other the sale's. */
function oneEventASale(books: Books): ReturnType<Rule> {
  const sales = soldAlone(books).filter(({ ownerKind }) => ownerKind === 'stored_card_sale')
  return sales.flatMap((sale) => {
    const told = new Set([sale.id, books.paymentOf(sale)?.id])
    const ofSale = books.events.filter(({ objectId, type }) => told.has(objectId) && type.startsWith('sale.'))
    const types = ofSale.map(({ type }) => type)
    const ended = sale.state === 'APPROVED' ? ['sale.succeeded'] : ['sale.failed']
    const expected = OPEN.includes(sale.state) ? [] : ended
    return types.join() === expected.join()
      ? []
      : [{ subject: sale.id, detail: `${sale.state} has the events [${types}]` }]
  })
}

function oneEventASession({ sessions, events }: Books): ReturnType<Rule> {
  return sessions.flatMap(({ id, status }) => {
    const types = events.filter((event) => event.objectId === id).map(({ type }) => type)
    const expected = CLOSING_EVENT[status] ?? []
    const isRight = types.join() === expected.join()
    return isRight ? [] : [{ subject: id, detail: `${status} has the events [${types}]` }]
  })
}

function referencesHold({ brokenReferences }: Books): ReturnType<Rule> {
  return brokenReferences
}

function noCardData({ texts }: Books): ReturnType<Rule> {
  return texts.flatMap(({ where, text }) =>
    findCardData(text).map((what) => ({ subject: where, detail: `${what} in the clear` })),
  )
}
