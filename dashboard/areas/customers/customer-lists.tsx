import type { ReactNode } from 'react'
import type { CustomerDetail, CustomerLetter } from '../../../contract/dashboard/customers-api.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import type { Column } from '../../kit/list.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMoney } from '../../kit/money.tsx'
import { ResendLetter } from '../../kit/resend-letter.tsx'
import { Status } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Day, Instant, useInstantText } from '../../kit/time.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'
import { StateOf, useAmountText } from './words.tsx'

type View = CustomerDetail['view']

interface NewestProps<Row> {
  title: string
  none: string
  list: { data: Row[]; has_more: boolean }
  columns: Column<Row>[]
  rowTo?: (row: Row) => string
  /** The page with all of them. */
  moreTo?: string
  actions?: ReactNode
}

/** The newest of something, and what to say when there are none or more. */
export function Newest<Row extends { id: string }>(props: NewestProps<Row>) {
  const { title, none, list, columns, rowTo, moreTo, actions } = props
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
        </p>
      )}
    </Card>
  )
}

export function Subscriptions({ list, actions }: { list: View['subscriptions']; actions: ReactNode }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const amount = useAmountText()
  const time = useInstantText()
  return (
    <Newest
      title={t.subscriptions}
      none={t.noSubscriptions}
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

export function Payments({ list, customer }: { list: View['payments']; customer: string }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const money = useMoney()
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
          cell: ({ amount, refunded_amount: refunded, currency }) => (
            <>
              {money(amount, currency)}
              {refunded > 0 && (
                <div className="dimmed">{fill(t.refundedOf, { amount: money(refunded, currency) })}</div>
              )}
            </>
          ),
        },
        { id: 'status', header: t.status, cell: ({ status }) => <StateOf state={status} /> },
        { id: 'card', header: t.card, cell: ({ brand, last4 }) => cardName(brand, last4) },
      ]}
    />
  )
}

export function Sessions({ list }: { list: View['sessions'] }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const money = useMoney()
  return (
    <Newest
      title={t.sessions}
      none={t.noSessions}
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

export function Contracts({ list, actions }: { list: View['contracts']; actions: ReactNode }) {
  const t = useTexts(CUSTOMER_TEXTS)
  return (
    <Newest
      title={t.contracts}
      none={t.noContracts}
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

export function Letters({ list }: { list: View['letters'] }) {
  const t = useTexts(CUSTOMER_TEXTS)
  return (
    <Newest
      title={t.letters}
      none={t.noLetters}
      list={list}
      columns={[
        { id: 'when', header: t.when, cell: ({ created }) => <Instant at={created} /> },
        { id: 'subject', header: t.subject, cell: ({ subject }) => subject },
        { id: 'status', header: t.status, cell: ({ status }) => <LetterState status={status} /> },
        {
          id: 'actions',
          header: t.actions,
          cell: (letter) => <ResendLetter letter={letter} shownBy="GET /customers/{id}" />,
        },
      ]}
    />
  )
}

function LetterState({ status }: Pick<CustomerLetter, 'status'>) {
  const t = useTexts(CUSTOMER_TEXTS)
  if (status === 'failed') return <Status tone="bad">{t.letterFailed}</Status>
  if (status === 'sent') return <Status tone="good">{t.sent}</Status>
  return <Status tone={status === 'pending' ? 'info' : 'plain'}>{t[status]}</Status>
}
