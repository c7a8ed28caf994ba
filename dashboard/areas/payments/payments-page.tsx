import { Button } from '@mantine/core'
import type { PaymentRow } from '../../../contract/dashboard/payment-row.ts'
import { RESULT_CODES } from '../../../contract/gateway-words.ts'
import { brandName } from '../../kit/card-name.ts'
import { Empty } from '../../kit/empty.tsx'
import {
  avsText,
  codeText,
  cvvText,
  type GatewayTexts,
  useGatewayTexts,
} from '../../kit/gateway-texts/gateway-texts.ts'
import { lazyPart } from '../../kit/lazy-part.ts'
import { AppLink, useGo } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay, useMe } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { PaidAmount, PaymentStatus } from '../../kit/payment-cells.tsx'
import { PAYMENT_ROW_TEXTS } from '../../kit/payment-texts/payment-texts.ts'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { CARD_BRANDS, PAYMENT_KINDS, PAYMENT_ROW_STATUSES, PAYMENT_TRIGGERS } from './payment-choices.ts'
import { attemptOf, batchOf, cardOf, customerOf, isRepeated, type Texts, whatOf } from './payment-words.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'

const CustomerPicker = lazyPart(() => import('../../kit/customer-picker.tsx'))
const BatchPicker = lazyPart(() => import('./batch-picker.tsx'))

/** Every attempt to take money, newest first. */
export default function PaymentsPage() {
  const t = useTexts(PAYMENT_TEXTS)
  const statusTexts = useTexts(PAYMENT_ROW_TEXTS)
  const gateway = useGatewayTexts()
  const columns = useColumns(t)
  const go = useGo()
  const maySell = useMay('payments.sell')
  return (
    <Page title={t.title} actions={maySell && <Button onClick={() => void go('sales/new')}>{t.newSale}</Button>}>
      <List<PaymentRow>
        name="GET /payments"
        caption={t.title}
        columns={columns}
        filters={filtersOf(t, statusTexts, gateway)}
        rowTo={({ id }) => `payments/${id}`}
        views="payments"
        exportName="POST /payments/export"
        exportPermission="export.payments"
        empty={
          <Empty
            kind="nothing"
            title={t.nothing}
            text={t.nothingText}
            action={<FirstPayment />}
            guide="tag/checkout-sessions"
          />
        }
      />
    </Page>
  )
}

/** Shown before the first payment. In staging a test payment costs nothing, and sample data can be created at once. */
function FirstPayment() {
  const t = useTexts(PAYMENT_TEXTS)
  const { environment } = useMe()
  const [mayLink, mayTest] = [useMay('sessions.write'), useMay('test.use')]
  const isStaging = environment === 'staging'
  return (
    <>
      {mayLink && <AppLink to="sessions/new">{isStaging ? t.testPayment : t.newLink}</AppLink>}
      {isStaging && mayTest && <AppLink to="test">{t.sampleData}</AppLink>}
    </>
  )
}

function useColumns(t: Texts): Column<PaymentRow>[] {
  const gateway = useGatewayTexts()
  return [
    { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
    {
      id: 'amount',
      header: t.amount,
      align: 'end',
      cell: (row) => <PaidAmount payment={row} />,
    },
    { id: 'status', header: t.status, cell: ({ status }) => <PaymentStatus status={status} /> },
    {
      id: 'what',
      header: t.what,
      cell: (row) => (
        <>
          {whatOf(row, t)}
          {isRepeated(row) && <div className="dimmed">{attemptOf(row, t)}</div>}
        </>
      ),
    },
    { id: 'customer', header: t.customer, cell: (row) => customerOf(row) ?? '–' },
    { id: 'card', header: t.card, cell: (row) => <span className="nowrap">{cardOf(row) ?? '–'}</span> },
    { id: 'code', header: t.result, cell: ({ code }) => codeText(code, gateway) ?? '–', optional: 2 },
    { id: 'batch', header: t.batch, cell: (row) => batchOf(row, t), optional: 1 },
    { id: 'avs', header: t.avs, cell: (row) => avsText(row.avs_result, gateway) ?? '–', hidden: true },
    { id: 'cvv', header: t.cvv, cell: (row) => cvvText(row.cvv_result, gateway) ?? '–', hidden: true },
    { id: 'reference', header: t.reference, cell: ({ reference }) => reference ?? '–', hidden: true },
    { id: 'receipt', header: t.receipt, cell: ({ receipt_id: receipt }) => receipt ?? '–', hidden: true },
  ]
}

function filtersOf(
  t: Texts,
  statusTexts: typeof PAYMENT_ROW_TEXTS.english,
  gateway: GatewayTexts,
): FilterOf<'GET /payments'>[] {
  const statuses = PAYMENT_ROW_STATUSES.map((value) => ({ value, label: statusTexts[value] }))
  const choices = <Word extends keyof Texts>(words: readonly Word[]) =>
    words.map((value) => ({ value: String(value), label: t[value] }))
  return [
    { id: 'status', label: t.status, kind: 'select', options: statuses },
    { id: 'days', label: t.days, kind: 'days', members: ['from', 'to'] },
    { id: 'amount', label: t.amount, kind: 'amount' },
    { id: 'kind', label: t.kind, kind: 'select', options: choices(PAYMENT_KINDS) },
    { id: 'last4', label: t.last4, kind: 'text' },
    {
      id: 'brand',
      label: t.brand,
      kind: 'select',
      options: CARD_BRANDS.map((value) => ({ value, label: brandName(value) })),
    },
    {
      id: 'code',
      label: t.code,
      kind: 'select',
      options: RESULT_CODES.map((value) => ({ value, label: gateway[value] })),
    },
    {
      id: 'currency',
      label: t.currency,
      kind: 'select',
      options: ['cad', 'usd'].map((value) => ({ value, label: value.toUpperCase() })),
    },
    { id: 'customer', label: t.customer, kind: 'picker', picker: CustomerPicker },
    { id: 'batch', label: t.batch, kind: 'picker', picker: BatchPicker },
    { id: 'trigger', label: t.trigger, kind: 'select', options: choices(PAYMENT_TRIGGERS) },
    { id: 'open', label: t.open, kind: 'toggle' },
  ]
}
