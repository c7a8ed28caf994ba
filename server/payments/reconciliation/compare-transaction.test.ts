import { equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cents } from '../../lib/money.ts'
import { type Compared, compareTransaction } from './compare-transaction.ts'
import type { FindingKind, OurOperation } from './finding.ts'

const OURS: OurOperation = {
  businessId: 'b',
  terminalId: 't',
  id: 'o',
  kind: 'sale',
  state: 'APPROVED',
  merchantRef: 'R-1',
  gatewayRef: 'G-1',
  amount: 1000 as Cents,
  currency: 'USD',
  isOpen: false,
  isVoided: false,
  refundedAmount: 0 as Cents,
}
const THEIRS: Compared = {
  kind: 'sale',
  merchantRef: 'R-1',
  gatewayRef: 'G-1',
  state: 'approved',
  approvedAmount: 1000 as Cents,
  currency: 'USD',
}
const REFUND = { kind: 'refund', gatewayRef: null } as const

type Row = [name: string, ours: Partial<OurOperation> | null, theirs: Partial<Compared>, kind: FindingKind | null]

const ROWS: Row[] = [
  ['identical', {}, {}, null],
  ['voided by us', { isVoided: true }, { state: 'voided' }, null],
  ['voided here only', { isVoided: true }, {}, 'state_differs'],
  ['voided there only', {}, { state: 'voided' }, 'state_differs'],
  ['refunded by us', { refundedAmount: 1000 as Cents }, { state: 'refunded' }, null],
  ['refunded in part by us', { refundedAmount: 300 as Cents }, {}, null],
  ['refunded there only', {}, { state: 'refunded' }, 'state_differs'],
  ['refunded here only', { refundedAmount: 1000 as Cents }, {}, 'state_differs'],
  ['declined there', {}, { state: 'declined' }, 'state_differs'],
  ['partial there', {}, { state: 'partial', approvedAmount: 600 as Cents }, 'state_differs'],
  ['more there', {}, { approvedAmount: 1001 as Cents }, 'amount_differs'],
  ['less there', {}, { approvedAmount: 999 as Cents }, 'amount_differs'],
  ['another currency there', {}, { currency: 'CAD' }, 'amount_differs'],
  ['declined by both', { state: 'DECLINED' }, { state: 'declined' }, null],
  ['declined here, approved there', { state: 'DECLINED' }, {}, 'state_differs'],
  ['a partial approval that is voided', { state: 'REVERSED' }, { state: 'voided', approvedAmount: 600 as Cents }, null],
  ['a partial approval that still stands', { state: 'REVERSED' }, { state: 'partial' }, 'state_differs'],
  ['reversed by a refund', { state: 'REVERSED' }, { state: 'refunded' }, null],
  ['written off, approved there', { state: 'NOT_CHARGED', gatewayRef: null }, {}, 'state_differs'],
  ['never sent, approved there', { state: 'NOT_SENT', gatewayRef: null }, {}, 'state_differs'],
  ['written off, voided there', { state: 'NOT_CHARGED', gatewayRef: null }, { state: 'voided' }, null],
  ['another transaction with the same reference', {}, { gatewayRef: 'G-2' }, 'duplicate_transaction'],
  ['another one that was declined', {}, { gatewayRef: 'G-2', state: 'declined' }, null],
  ['a refund under the reference of a sale', {}, { kind: 'refund' }, 'duplicate_transaction'],
  ['a refund on both sides', REFUND, { kind: 'refund', gatewayRef: 'G-9' }, null],
  ['a refund declined there', REFUND, { kind: 'refund', state: 'declined' }, 'state_differs'],
  ['a refund not sent here', { ...REFUND, state: 'NOT_SENT' }, { kind: 'refund' }, 'state_differs'],
  ['unknown here', null, {}, 'unknown_transaction'],
  ['a refund unknown here', null, { kind: 'refund' }, 'unknown_transaction'],
  ['unknown here, declined there', null, { state: 'declined' }, null],
  ['unknown here, voided there', null, { state: 'voided' }, null],
]

describe('compareTransaction', () => {
  for (const [name, ours, theirs, kind] of ROWS) {
    test(`${name}: ${kind ?? 'no difference'}`, () => {
      const found = compareTransaction({ ...THEIRS, ...theirs }, ours ? { ...OURS, ...ours } : undefined)
      equal(found?.kind ?? null, kind)
    })
  }

  test('a second refund with the same reference is a duplicate', () => {
    const found = compareTransaction({ ...THEIRS, kind: 'refund' }, { ...OURS, ...REFUND }, true)
    equal(found?.kind, 'duplicate_transaction')
  })

  test('a card number in a reference that is not ours is removed', () => {
    const found = compareTransaction({ ...THEIRS, merchantRef: 'card 4242 4242 4242 4242' }, undefined)
    equal(found?.merchantRef, '[card number removed]')
  })
})
