import type { BillView, SubscriptionDetail, SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import type { Subscription as SubscriptionObject } from '../../../contract/subscription.ts'
import { findProductNames } from '../../catalog/product-queries.ts'
import type { Db } from '../../db/connection.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { LoadedSubscription, Subscription } from '../../subscriptions/subscription.ts'
import { readObject } from '../../subscriptions/subscription-details.ts'
import { pauseObject } from '../../subscriptions/subscription-object.ts'
import { findAbout } from '../letter-about-queries.ts'
import { versionOf } from '../version.ts'
import { attemptMarks } from './attempt-marks.ts'
import { paidThroughView } from './paid-through-view.ts'
import {
  type ListedBill,
  type ListedPayment,
  listAttempts,
  listBills,
  listDone,
  listEvents,
  listLetters,
  listPauses,
} from './subscription-page-queries.ts'
import { readSummaries } from './subscription-summary.ts'

/** Version of what a person edits. */
const versionOfSubscription = ({ metadata }: Pick<Subscription, 'metadata'>) => versionOf({ metadata })

/** Reads the whole page of a subscription, without links, which only a separate call shows (DSH-110). */
export async function readSubscriptionPage({ db }: { db: Db }, loaded: LoadedSubscription): Promise<SubscriptionPage> {
  const { businessId, id: subscriptionId } = loaded.subscription
  const which = { businessId, subscriptionId }
  const [object, summaryOf, { bills, hasMore }, payments, pauses, done] = await Promise.all([
    readObject({ db }, loaded),
    readSummaries(db, businessId, [loaded]),
    listBills(db, which),
    listAttempts(db, which),
    listPauses(db, which),
    listDone(db, which),
  ])
  const objects = [subscriptionId, ...payments.map(({ id }) => id)]
  const [letters, events] = await Promise.all([
    listLetters(db, businessId, objects),
    listEvents(db, businessId, objects),
  ])
  const letterIds = letters.map(({ id }) => id)
  const about = await findAbout(db, businessId, letterIds)
  const view: SubscriptionDetail = {
    ...summaryOf(loaded),
    ...moneyAndTime(loaded.subscription),
    sold: await readSold(db, businessId, object.items.data),
    queue: queueOf(loaded, bills, payments),
    bills: bills.map((bill) => billView(bill, paymentsOf(bill, payments))),
    has_more_bills: hasMore,
    pauses: pauses.map(pauseObject),
    contract_title: loaded.contract?.title ?? null,
    letters: letters.map((letter) => ({ ...letterView(letter), about: about.get(letter.id) ?? null })),
    done,
    events: events.map(({ id, type, objectId, createdAt }) => ({
      id,
      type,
      created: epochSeconds(createdAt),
      about: { type: objectId === subscriptionId ? 'subscription' : 'payment', id: objectId },
    })),
  }
  return { ...object, version: versionOfSubscription(loaded.subscription), view }
}

async function readSold(db: Db, businessId: string, items: SubscriptionObject['items']['data']) {
  const products = new Set(items.map(({ price }) => price.product))
  const names = await findProductNames(db, businessId, [...products])
  return items.map(({ price: { id: price, product, unit_amount }, quantity }) => ({
    product,
    price,
    name: names.get(product) ?? '',
    quantity,
    unit_amount,
  }))
}

type ListedLetter = Awaited<ReturnType<typeof listLetters>>[number]

const letterView = ({ id, kind, recipient, status, subject, createdAt }: ListedLetter) => ({
  id,
  kind,
  to: recipient,
  status,
  subject,
  created: epochSeconds(createdAt),
})

function moneyAndTime(subscription: Subscription) {
  const { amount, taxAmount, surchargeAmount, currentPeriod } = subscription
  return {
    amounts: {
      base: amount - taxAmount - surchargeAmount,
      tax: taxAmount,
      surcharge: surchargeAmount,
      total: amount,
    },
    period: currentPeriod,
    ...paidThroughView(subscription),
  }
}

const paymentsOf = ({ id }: ListedBill, payments: readonly ListedPayment[]) =>
  payments.filter(({ billId }) => billId === id)

/** Returns the open bill, or the newest one while its failed attempts are the last thing that happened. */
function queueOf(
  { subscription: { timeZone }, isCharging }: LoadedSubscription,
  bills: readonly ListedBill[],
  payments: readonly ListedPayment[],
): SubscriptionDetail['queue'] {
  const [newest] = bills
  const bill =
    bills.find(({ status }) => status === 'PENDING') ??
    (newest?.status === 'CLOSED' && newest.failedAttempts > 0 ? newest : undefined)
  if (!bill) return null
  const marks = attemptMarks({ bill, payments: paymentsOf(bill, payments), timeZone, isCharging })
  return { bill: bill.id, status: bill.status, marks }
}

function billView(bill: ListedBill, payments: readonly ListedPayment[]): BillView {
  return {
    id: bill.id,
    period: { start: bill.periodStart, end: bill.periodEnd },
    status: bill.status,
    closed_reason: bill.closedReason,
    tries: payments.length,
    next_attempt_at: bill.nextAttemptAt && epochSeconds(bill.nextAttemptAt),
    payments: payments.map(({ id, status, amount, code, attempt, createdAt }) => ({
      id,
      status,
      amount,
      code,
      attempt,
      created: epochSeconds(createdAt),
    })),
  }
}
