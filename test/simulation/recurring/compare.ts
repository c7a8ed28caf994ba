import { textOf } from './days.ts'
import { keyOf, type Model } from './model.ts'
import type { RecordedSubscription } from './recorded.ts'

// Compares the service's records with the model, as text, so that a difference is readable.

export function describeModel(model: Model): string {
  const { status, segment, next, paidBills, bill, cover, pause, isHeld, openSale } = model
  const isOpen = status === 'active' || status === 'paused'
  return lines({
    status,
    anchor: model.link?.isUnused ? null : textOf(model.anchor),
    next: `${segment}/${next}`,
    nextDay: model.nextDay === null ? null : textOf(model.nextDay),
    paidBills,
    bill: bill && `${keyOf(bill)} failed ${bill.failed}`,
    retry: bill && bill.failed > 0 && !openSale ? bill.dueMs : null,
    paidThrough: cover && (cover.payment.status === 'voided' ? `nothing until ${cover.fromMs}` : cover.throughMs),
    isHeld,
    cancelAt: isOpen ? model.cancelAtMs : null,
    pause:
      pause &&
      [pause.status, pause.mode, pause.pausedAtMs ?? '-', pause.scheduledForMs ?? '-', pause.remainingSeconds].join(
        ' ',
      ),
    isCharging: openSale !== null,
  })
}

export function describeRecorded(row: RecordedSubscription): string {
  const { status, segment, next, paidBills, bill, pause, isHeld, isCharging } = row
  const isOpen = status === 'active' || status === 'paused'
  return lines({
    status,
    anchor: row.anchor,
    next: `${segment}/${next}`,
    nextDay: row.nextDay,
    paidBills,
    bill: bill && `${bill} failed ${row.failed}`,
    retry: bill && row.failed > 0 && !isCharging ? row.billDueMs : null,
    paidThrough: row.paidThrough,
    isHeld,
    cancelAt: isOpen ? row.cancelAtMs : null,
    pause,
    isCharging,
  })
}

const lines = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join('\n')

export const describePayments = (payments: Model['payments']) =>
  payments.map(({ status, amount, refunded }) => `${status} ${amount} ${refunded}`).join('\n')

export const describeBills = (bills: ReadonlyMap<string, string>) =>
  [...bills]
    .map(([key, became]) => `${key} ${became}`)
    .sort()
    .join('\n')
