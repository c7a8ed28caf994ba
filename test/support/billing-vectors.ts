import { readFileSync } from 'node:fs'

// Courses of subscriptions with dates and amounts, taken from the tests and documents of other billing systems. Each
// names its source. `expect` is our rule, even if our stance differs and `source_expect` has the source's result.

export interface BillingVector {
  id: string
  source: string
  kind:
    | 'schedule'
    | 'leap'
    | 'timezone'
    | 'amount'
    | 'pause'
    | 'resume'
    | 'retry'
    | 'installments'
    | 'cancel'
    | 'refund'
  stance: 'agree' | 'contrary'
  /** Whether the course is not literally in the source; `how` explains what was chosen or adapted. */
  derived: boolean
  how?: string
  note?: string
  given: Record<string, unknown>
  expect: Record<string, unknown>
  source_expect?: Record<string, unknown>
}

const file = new URL('../data/billing-vectors.json', import.meta.url)

export const billingVectors: readonly BillingVector[] = JSON.parse(readFileSync(file, 'utf8'))

/** Courses that the pure functions of `server/subscriptions/plan` cannot fully cover: by id, with the reason. */
export const NEED_THE_ENGINE: Readonly<Record<string, string>> = {
  'pl-p01': 'a scheduled pause is a state of the subscription',
  'pl-p05': 'the undo of a scheduled pause is a request',
  'fx-p02': 'the scheduler leaves a paused subscription alone',
  're-p01': 'a pause closes the open bill',
  'cb-p01': 'a pause closes the open bill and moves no money',
  're-21': 'status of the response',
  're-28': 'a resume that is declined changes nothing',
  'rt-04': 'approved bills are counted',
  'rt-06': 'an unknown outcome is resolved before anything is retried',
  'rt-10': 'status of the subscription',
  'rt-17': 'status of the subscription and its bill after the last attempt',
  'rt-20': 'an unpaid bill is not added to the next',
  'rt-21': 'nothing is charged after a scheduled cancel',
  'in-01': 'the last approved bill completes the subscription',
  'in-02': 'the last approved bill ends the schedule',
  'in-03': 'the last approved bill ends the schedule',
  'in-04': 'catching up is the work of the scheduler',
  'in-06': 'approved bills are counted',
  'cn-01': 'nothing is charged after a scheduled cancel',
  'cn-02': 'a cancel comes before the bill of its day',
  'cn-03': 'a cancel comes before the bill of its day',
  'cn-05': 'a scheduled cancel clears a scheduled pause',
  'cn-06': 'a scheduled cancel is taken back',
  'cn-10': 'a canceled subscription is not retried',
  'rf-06': 'refunds are operations of a payment',
  'rf-07': 'refunds are operations of a payment',
  'rf-08': 'refunds are operations of a payment',
}
