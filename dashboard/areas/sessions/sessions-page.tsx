import { Button } from '@mantine/core'
import type { SessionRow } from '../../../contract/dashboard/sessions-api.ts'
import { Empty } from '../../kit/empty.tsx'
import { lazyPart } from '../../kit/lazy-part.ts'
import { useGo } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { PaymentStatus, SessionStatus } from './session-status.tsx'
import { SESSION_TEXTS } from './texts/texts.ts'

const CustomerPicker = lazyPart(() => import('../../kit/customer-picker.tsx'))

export default function SessionsPage() {
  const t = useTexts(SESSION_TEXTS)
  const columns = useColumns()
  const filters = useSessionFilters()
  const newLink = <NewLink />
  return (
    <Page title={t.title} actions={newLink}>
      <List<SessionRow>
        name="GET /checkout_sessions"
        caption={t.title}
        columns={columns}
        filters={filters}
        views="sessions"
        exportName="POST /checkout_sessions/export"
        exportPermission="export.payments"
        rowTo={({ id }) => `sessions/${id}`}
        empty={
          <Empty kind="nothing" title={t.nothing} text={t.nothingText} action={newLink} guide="tag/checkout-sessions" />
        }
      />
    </Page>
  )
}

function NewLink() {
  const t = useTexts(SESSION_TEXTS)
  const go = useGo()
  return useMay('sessions.write') ? <Button onClick={() => void go('sessions/new')}>{t.newLink}</Button> : null
}

function useColumns(): Column<SessionRow>[] {
  const t = useTexts(SESSION_TEXTS)
  const money = useMoney()
  return [
    { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
    {
      id: 'amount',
      header: t.amount,
      align: 'end',
      cell: ({ amount_total: amount, currency }) => money(amount, currency),
    },
    {
      id: 'status',
      header: t.status,
      cell: ({ status, charges_nothing: nothing }) => <SessionStatus status={status} chargesNothing={nothing} />,
    },
    {
      id: 'paid',
      header: t.paymentStatus,
      cell: (row) => <PaymentStatus status={row.payment_status} chargesNothing={row.charges_nothing} />,
    },
    { id: 'customer', header: t.customer, cell: ({ customer }) => customer?.name ?? customer?.email ?? t.nobody },
    { id: 'reference', header: t.reference, cell: (row) => row.client_reference_id },
    { id: 'mode', header: t.mode, cell: ({ mode }) => t[mode], optional: 1 },
    { id: 'look', header: t.look, cell: (row) => t[row.ui_mode], hidden: true },
    { id: 'description', header: t.description, cell: ({ description }) => description, hidden: true },
    {
      id: 'tries',
      header: t.tries,
      cell: (row) => fill(t.triesOf, { count: row.attempt_count, max: row.max_attempts }),
      optional: 2,
    },
    { id: 'expires', header: t.expires, cell: (row) => <Instant at={row.expires_at} />, optional: 3 },
  ]
}

function useSessionFilters(): FilterOf<'GET /checkout_sessions'>[] {
  const t = useTexts(SESSION_TEXTS)
  const options = (words: readonly (keyof typeof t)[]) => words.map((value) => ({ value, label: t[value] as string }))
  return [
    {
      id: 'status',
      label: t.status,
      kind: 'select',
      options: options(['PENDING', 'COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED']),
    },
    { id: 'created', label: t.days, kind: 'days', members: ['from', 'to'] },
    { id: 'amount', label: t.amount, kind: 'amount' },
    { id: 'customer_id', label: t.customer, kind: 'picker', picker: CustomerPicker },
    { id: 'customer', label: t.customerText, kind: 'text' },
    { id: 'reference', label: t.reference, kind: 'text' },
    { id: 'ui_mode', label: t.look, kind: 'select', options: options(['hosted', 'embedded', 'rapid']) },
    { id: 'mode', label: t.mode, kind: 'select', options: options(['payment', 'subscription', 'setup']) },
  ]
}
