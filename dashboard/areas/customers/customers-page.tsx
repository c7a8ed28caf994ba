import { Button } from '@mantine/core'
import type { CustomerRow } from '../../../contract/dashboard/customers-api.ts'
import { Empty } from '../../kit/empty.tsx'
import { useGo } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

export default function CustomersPage() {
  const t = useTexts(CUSTOMER_TEXTS)
  const columns = useColumns()
  const create = <NewCustomer />
  const choices = [
    { value: 'true', label: t.yes },
    { value: 'false', label: t.no },
  ]
  const filters: FilterOf<'GET /customers'>[] = [
    { id: 'search', label: t.search, kind: 'text' },
    { id: 'created', label: t.created, kind: 'days', members: ['from', 'to'] },
    { id: 'has_card', label: t.hasCard, kind: 'select', options: choices },
    { id: 'has_subscription', label: t.hasSubscription, kind: 'select', options: choices },
  ]
  return (
    <Page title={t.title} actions={create}>
      <List<CustomerRow>
        name="GET /customers"
        caption={t.title}
        columns={columns}
        filters={filters}
        views="customers"
        exportName="POST /customers/export"
        exportPermission="export.customers"
        rowTo={({ id }) => `customers/${id}`}
        empty={<Empty kind="nothing" title={t.nothing} text={t.nothingText} action={create} guide="tag/customers" />}
      />
    </Page>
  )
}

function NewCustomer() {
  const t = useTexts(CUSTOMER_TEXTS)
  const go = useGo()
  return useMay('customers.write') ? <Button onClick={() => void go('customers/new')}>{t.new}</Button> : null
}

function useColumns(): Column<CustomerRow>[] {
  const t = useTexts(CUSTOMER_TEXTS)
  const money = useMoney()
  return [
    { id: 'name', header: t.name, cell: ({ name }) => name ?? t.unnamed },
    { id: 'email', header: t.email, cell: ({ email }) => email },
    { id: 'phone', header: t.phone, cell: ({ phone }) => phone, hidden: true },
    { id: 'cards', header: t.cards, align: 'end', cell: ({ view }) => view.cards },
    {
      id: 'subscriptions',
      header: t.activeSubscriptions,
      align: 'end',
      cell: ({ view }) => view.active_subscriptions,
    },
    {
      id: 'paid',
      header: t.paid,
      align: 'end',
      cell: ({ view }) => view.paid.map(({ amount, currency }) => money(amount, currency)).join(', '),
    },
    { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
  ]
}
