import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import type { Column } from '../../kit/list.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMoney } from '../../kit/money.tsx'
import { PaidAmount, PaymentStatus } from '../../kit/payment-cells.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Day, Instant, useInstantText } from '../../kit/time.tsx'
import { useLetterColumns } from './letter-columns.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'
import { StateOf, useAmountText } from './words.tsx'

type View = CustomerDetail['view']

interface NewestProps<Row> {
  title: string
  none: string
  list: { data: Row[]; has_more: boolean }
  columns: Column<Row>[]
  rowTo?: (row: Row) => string
  /** Path of the page with all items. */
  moreTo?: string
  /** Shows more items here. */
  onMore?: (() => void) | undefined
  actions?: ReactNode
}

/** The newest items of a list, or a text if there are none, with a link or button for more. */
export function Newest<Row extends { id: string }>(props: NewestProps<Row>) {
  const { title, none, list, columns, rowTo, moreTo, onMore, actions } = props
  const t = useTexts(CUSTOMER_TEXTS)
  return (
    <Card title={title} actions={actions}>
      {list.data.length === 0 ? (
        <p className="dimmed">{none}</p>
      ) : (
        <ListTable caption={title} rows={list.data} columns={columns} {...(rowTo && { rowTo })} />
      )}
      {list.has_more && (
        <p className="dimmed">
          {t.more} {moreTo && <AppLink to={moreTo}>{t.showAll}</AppLink>}
          {onMore && (
            <Button variant="default" size="compact-sm" onClick={onMore}>
              {t.showAll}
            </Button>
          )}
        </p>
      )}
    </Card>
  )
}

interface OfCustomer<Name extends keyof View> {
  list: View[Name]
  customer: string
}

export function Subscriptions({ list, customer, actions }: OfCustomer<'subscriptions'> & { actions: ReactNode }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const amount = useAmountText()
  const time = useInstantText()
  return (
    <Newest
      title={t.subscriptions}
      none={t.noSubscriptions}
      moreTo={`subscriptions?customer=${customer}`}
      list={list}
      actions={actions}
      rowTo={({ id }) => `subscriptions/${id}`}
      columns={[
        { id: 'what', header: t.what, cell: ({ description }) => description },
        { id: 'amount', header: t.amount, align: 'end', cell: amount },
        { id: 'status', header: t.status, cell: ({ status }) => <StateOf state={status} /> },
        {
          id: 'next',
          header: t.nextBill,
          cell: ({ next_billing_date: next, next_retry_at: retry }) =>
            retry === null ? next && <Day of={next} /> : fill(t.retries, { time: time(retry) }),
        },
      ]}
    />
  )
}

/** All attempts, including declined ones. */
export function Payments({ list, customer }: OfCustomer<'payments'>) {
  const t = useTexts(CUSTOMER_TEXTS)
  const gateway = useGatewayTexts()
  return (
    <Newest
      title={t.payments}
      none={t.noPayments}
      moreTo={`payments?customer=${customer}`}
      list={list}
      rowTo={({ id }) => `payments/${id}`}
      columns={[
        { id: 'when', header: t.when, cell: ({ created }) => <Instant at={created} /> },
        {
          id: 'amount',
          header: t.amount,
          align: 'end',
          cell: (payment) => <PaidAmount payment={payment} />,
        },
        { id: 'status', header: t.status, cell: ({ status }) => <PaymentStatus status={status} /> },
        { id: 'card', header: t.card, cell: ({ card }) => card && cardName(card.brand, card.last4) },
        { id: 'code', header: t.result, cell: ({ code }) => codeText(code, gateway) },
      ]}
    />
  )
}

export function Sessions({ list, customer }: OfCustomer<'sessions'>) {
  const t = useTexts(CUSTOMER_TEXTS)
  const money = useMoney()
  return (
    <Newest
      title={t.sessions}
      none={t.noSessions}
      moreTo={`sessions?customer_id=${customer}`}
      list={list}
      rowTo={({ id }) => `sessions/${id}`}
      columns={[
        { id: 'when', header: t.when, cell: ({ created }) => <Instant at={created} /> },
        { id: 'amount', header: t.amount, align: 'end', cell: (row) => money(row.amount_total, row.currency) },
        { id: 'status', header: t.status, cell: ({ status }) => <StateOf state={status} /> },
        { id: 'description', header: t.description, cell: ({ description }) => description },
      ]}
    />
  )
}

export function Contracts({ list, customer, actions }: OfCustomer<'contracts'> & { actions: ReactNode }) {
  const t = useTexts(CUSTOMER_TEXTS)
  return (
    <Newest
      title={t.contracts}
      none={t.noContracts}
      moreTo={`contracts?customer=${customer}`}
      list={list}
      actions={actions}
      rowTo={({ id }) => `contracts/${id}`}
      columns={[
        { id: 'title', header: t.contractTitle, cell: ({ title }) => title },
        { id: 'status', header: t.status, cell: ({ status }) => <StateOf state={status} /> },
        { id: 'when', header: t.created, cell: ({ created }) => <Instant at={created} /> },
      ]}
    />
  )
}

export function Letters({ list, customer }: OfCustomer<'letters'>) {
  const t = useTexts(CUSTOMER_TEXTS)
  return (
    <Newest
      title={t.letters}
      none={t.noLetters}
      moreTo={`customers/${customer}/letters`}
      list={list}
      columns={useLetterColumns('GET /customers/{id}')}
    />
  )
}
