import { type Cadence, type DayNumber, scheduledDay } from './days.ts'
import type { Model, ModelLink } from './model.ts'
import { completeIfLast, coverPeriod, recordPaid, today } from './oracle.ts'
import { type Terms, totalOf } from './requests.ts'
import type { Shop } from './world.ts'

// How a subscription begins: with a card that is charged now or on a later day, or without one.

export interface NewModel {
  shop: Shop
  cadence: Cadence
  terms: Terms
  /** First day; `null` for today. */
  start: DayNumber | null
  nowMs: number
}

/** Returns a subscription with a card, whose first bill is paid unless it starts later. */
export function newModel(given: NewModel): Model {
  const model = waiting(given)
  begin(model, given.start, given.nowMs)
  return model
}

/** Returns a subscription without a card (SUB-3). */
export function newWaitingModel(given: NewModel, token: string): Model {
  const link: ModelLink = { token, start: given.start, sessions: [], isUnused: true }
  return { ...waiting(given), link }
}

function waiting({ shop, cadence, terms }: NewModel): Model {
  return {
    zone: shop.zone,
    cadence,
    amount: totalOf(terms),
    installments: terms.installments,
    afterLastRetry: shop.afterLastRetry,
    runsAt: shop.runsAt,
    missedMax: shop.missedMax,
    status: 'pending_payment_method',
    anchor: 0,
    segment: 0,
    next: 0,
    nextDay: null,
    paidBills: 0,
    bill: null,
    openSale: null,
    cover: null,
    pause: null,
    cancelAtMs: null,
    isHeld: false,
    link: null,
    card: 'ok',
    payments: [],
    bills: new Map(),
    decidedThrough: null,
  }
}

/** @param start a day after today; `null` if the first bill is paid now */
export function begin(model: Model, start: DayNumber | null, nowMs: number): void {
  const anchor = start ?? today(model, nowMs)
  Object.assign(model, { status: 'active', anchor, nextDay: anchor })
  if (start !== null) return
  const end = scheduledDay(anchor, model.cadence, 1)
  Object.assign(model, { next: 1, nextDay: end })
  model.bills.set('0/0', 'FULFILLED')
  coverPeriod(model, anchor, end, recordPaid(model, '0/0'))
  completeIfLast(model)
}
