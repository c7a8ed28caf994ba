import { Button } from '@mantine/core'
import type { SubscriptionRow } from '../../../contract/dashboard/subscription-views.ts'
import { CARD_EXPIRIES, FREQUENCIES, SUBSCRIPTION_TABS } from '../../../contract/dashboard/subscription-words.ts'
import { fill } from '../../../contract/text.ts'
import { Empty } from '../../kit/empty.tsx'
import { FREQUENCY_TEXTS } from '../../kit/frequency-texts/frequency-texts.ts'
import { lazyPart } from '../../kit/lazy-part.ts'
import { AppLink, useGo, useQueryOfPage } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'
import { DayAt, SubscriptionStatus } from './words.tsx'
import './subscriptions.css'

const CustomerPicker = lazyPart(() => import('../../kit/customer-picker.tsx'))
const PricePicker = lazyPart(() => import('../../kit/price-picker.tsx'))
const ProductPicker = lazyPart(() => import('../../kit/product-picker.tsx'))

export default function SubscriptionsPage() {
  const t = useTexts(TEXTS)
  const { tab } = useQueryOfPage()
  const columns = useColumns()
  const filters = useSubscriptionFilters()
  return (
    <Page title={t.subscriptions} actions={<NewButton />}>
      <Tabs tab={tab} />
      <List<SubscriptionRow>
        name="GET /subscriptions"
        caption={t.subscriptions}
        columns={columns}
        filters={filters}
        {...(tab !== undefined && { query: { tab } })}
        views="subscriptions"
        exportName="POST /subscriptions/export"
        exportPermission="export.payments"
        rowTo={({ id }) => `subscriptions/${id}`}
        empty={tab === undefined ? <Nothing /> : <Empty kind="noMatch" />}
      />
    </Page>
  )
}

function NewButton() {
  const t = useTexts(TEXTS)
  const go = useGo()
  if (!useMay('subscriptions.write')) return null
  return <Button onClick={() => void go('subscriptions/new')}>{t.newSubscription}</Button>
}

function FirstSteps() {
  const t = useTexts(TEXTS)
  return (
    <>
      <NewButton />
      {useMay('catalog.write') && <AppLink to="products">{t.toProducts}</AppLink>}
    </>
  )
}

function Nothing() {
  const t = useTexts(TEXTS)
  return <Empty kind="nothing" title={t.empty} text={t.emptyText} action={<FirstSteps />} guide="tag/subscriptions" />
}

/** Without it, the router takes every tab for this one, because its query is empty. */
const EXACT = { activeOptions: { exact: true, includeSearch: true } }

function Tabs({ tab }: { tab: string | undefined }) {
  const t = useTexts(TEXTS)
  const isCurrent = (one: string | undefined) => (one === tab ? { 'aria-current': 'page' as const } : {})
  return (
    <nav aria-label={t.tabs}>
      <ul className="tab-row">
        <li>
          <AppLink to="subscriptions" {...isCurrent(undefined)} {...(EXACT as object)}>
            {t.tab_all}
          </AppLink>
        </li>
        {SUBSCRIPTION_TABS.map((one) => (
          <li key={one}>
            <AppLink to={`subscriptions?tab=${one}`} {...isCurrent(one)}>
              {t[`tab_${one}`]}
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function useColumns(): Column<SubscriptionRow>[] {
  const t = useTexts(TEXTS)
  const words = useTexts(FREQUENCY_TEXTS)
  const money = useMoney()
  return [
    {
      id: 'customer',
      header: t.customer,
      cell: ({ view: { customer } }) => customer.name ?? customer.email ?? t.noName,
    },
    { id: 'what', header: t.what, cell: ({ view }) => view.description },
    {
      id: 'amount',
      header: t.perBill,
      align: 'end',
      cell: ({ amount, currency }) => money(amount, currency.toUpperCase()),
    },
    { id: 'frequency', header: t.frequency, cell: ({ view }) => words[view.frequency.label] },
    { id: 'status', header: t.status, cell: (row) => <SubscriptionStatus of={row} /> },
    {
      id: 'paid',
      header: t.paidBills,
      align: 'end',
      cell: ({ installments, installments_billed: paid }) =>
        installments === null ? paid : fill(t.ofPlan, { paid, all: installments }),
    },
    { id: 'next', header: t.nextBill, cell: ({ view }) => <NextDay of={view.next_billing_date} /> },
    { id: 'start', header: t.start, cell: ({ start_date }) => <Day of={start_date} /> },
    {
      id: 'last',
      header: t.lastPayment,
      cell: ({ last_payment_at, view }) => <DayAt at={last_payment_at} zone={view.time_zone} />,
    },
    {
      id: 'failed',
      header: t.lastFailed,
      hidden: true,
      cell: ({ last_failed_attempt_at, view }) => <DayAt at={last_failed_attempt_at} zone={view.time_zone} />,
    },
    { id: 'reference', header: t.reference, hidden: true, cell: ({ view }) => view.reference ?? '–' },
  ]
}

const NextDay = ({ of }: { of: string | null }) => (of === null ? '–' : <Day of={of} />)

function useSubscriptionFilters(): FilterOf<'GET /subscriptions'>[] {
  const t = useTexts(TEXTS)
  const words = useTexts(FREQUENCY_TEXTS)
  return [
    {
      id: 'status',
      label: t.status,
      kind: 'select',
      options: (['INACTIVE', 'ACTIVE', 'PAUSED', 'CANCELLED', 'completed'] as const).map((value) => ({
        value,
        label: t[value],
      })),
    },
    {
      id: 'frequency',
      label: t.frequency,
      kind: 'select',
      options: FREQUENCIES.map(({ label: value }) => ({ value, label: words[value] })),
    },
    { id: 'customer', label: t.customer, kind: 'picker', picker: CustomerPicker },
    { id: 'product', label: t.product, kind: 'picker', picker: ProductPicker },
    { id: 'price', label: t.price, kind: 'picker', picker: PricePicker, width: 340 },
    { id: 'next', label: t.nextBill, kind: 'days' },
    {
      id: 'card_expiring',
      label: t.cardExpires,
      kind: 'select',
      options: CARD_EXPIRIES.map((value) => ({ value, label: t[value] })),
    },
    { id: 'reference', label: t.reference, kind: 'text' },
  ]
}
