import { Button } from '@mantine/core'
import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import type { Permission } from '../../../contract/permissions.ts'
import { Card, Fields, JsonView } from '../../kit/detail.tsx'
import { LANGUAGE_NAMES } from '../../kit/language-names.ts'
import { useGo, usePathParam } from '../../kit/links.tsx'
import type { Locale } from '../../kit/locale.ts'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { AskForCard } from './ask-for-card.tsx'
import { CardLinks } from './card-links.tsx'
import { CustomerCards } from './customer-cards.tsx'
import { CustomerHistory } from './customer-history.tsx'
import { Contracts, Letters, Payments, Sessions, Subscriptions } from './customer-lists.tsx'
import { EditCustomer } from './edit-customer.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

export default function CustomerPage() {
  const t = useTexts(CUSTOMER_TEXTS)
  const id = usePathParam('id')
  const read = useRead('GET /customers/{id}', { params: { id } })
  const customer = read.data
  return (
    <Page
      title={customer ? (customer.name ?? customer.email ?? t.unnamed) : t.title}
      breadcrumbs={[{ label: t.title, to: 'customers' }]}
      actions={customer && <Actions customer={customer} />}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {customer && <Customer customer={customer} />}
    </Page>
  )
}

function Actions({ customer }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const mayEdit = useMay('customers.write')
  const to = (path: string) => `${path}?customer=${customer.id}`
  return (
    <>
      {mayEdit && <EditCustomer customer={customer} />}
      <Go permission="sessions.write" to={to('sessions/new')} label={t.newLink} />
      {customer.view.cards > 0 && <Go permission="payments.sell" to={to('sales/new')} label={t.charge} />}
    </>
  )
}

function Go({ permission, to, label }: { permission: Permission; to: string; label: string }) {
  const go = useGo()
  if (!useMay(permission)) return null
  return (
    <Button variant="default" onClick={() => void go(to)}>
      {label}
    </Button>
  )
}

function Customer({ customer }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const { view, version: _version, ...shown } = customer
  const metadata = Object.entries(customer.metadata)
  return (
    <>
      <Details customer={customer} />
      <CustomerCards cards={view.payment_methods} actions={<AskForCard customer={customer} />}>
        <CardLinks customer={customer} />
      </CustomerCards>
      <Subscriptions
        list={view.subscriptions}
        customer={customer.id}
        actions={
          <Go
            permission="subscriptions.write"
            to={`subscriptions/new?customer=${customer.id}`}
            label={t.newSubscription}
          />
        }
      />
      <Payments list={view.payments} customer={customer.id} />
      <Sessions list={view.sessions} customer={customer.id} />
      <Contracts
        list={view.contracts}
        customer={customer.id}
        actions={<Go permission="contracts.write" to={`contracts/new?customer=${customer.id}`} label={t.newContract} />}
      />
      <Letters list={view.letters} customer={customer.id} />
      {metadata.length > 0 && (
        <Card title={t.metadata}>
          <Fields items={metadata.map(([name, value]) => [name, String(value)])} />
        </Card>
      )}
      <CustomerHistory id={customer.id} />
      <JsonView path={`GET /api/v1/customers/${customer.id}`} document={shown} events={customer.id} />
    </>
  )
}

function Details({ customer }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const money = useMoney()
  const { view } = customer
  return (
    <Card title={t.details}>
      <Fields
        items={[
          [t.name, customer.name],
          [t.email, customer.email],
          [t.phone, customer.phone],
          [t.language, view.locale && (LANGUAGE_NAMES[view.locale as Locale] ?? view.locale)],
          [t.paid, view.paid.map(({ amount, currency }) => money(amount, currency)).join(', ')],
          [t.activeSubscriptions, view.active_subscriptions],
          [t.created, <Instant key="created" at={customer.created} />],
        ]}
      />
    </Card>
  )
}
