import { Button } from '@mantine/core'
import type { ContractRow } from '../../../contract/dashboard/contracts-api.ts'
import CustomerPicker, { personName } from '../../kit/customer-picker.tsx'
import { Empty } from '../../kit/empty.tsx'
import { AppLink, useGo } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { ContractStatus } from './contract-status.tsx'
import { CONTRACT_TEXTS } from './texts/texts.ts'

export default function ContractsPage() {
  const t = useTexts(CONTRACT_TEXTS)
  const write = <NewContract />
  const filters: FilterOf<'GET /contracts'>[] = [
    { id: 'search', label: t.search, kind: 'text' },
    { id: 'customer', label: t.customer, kind: 'picker', picker: CustomerPicker },
    {
      id: 'status',
      label: t.status,
      kind: 'select',
      options: (['draft', 'sent', 'signed', 'void'] as const).map((value) => ({ value, label: t[value] })),
    },
  ]
  return (
    <Page title={t.title} actions={write}>
      <List<ContractRow>
        name="GET /contracts"
        caption={t.title}
        columns={useColumns()}
        filters={filters}
        views="contracts"
        exportName="POST /contracts/export"
        exportPermission="export.customers"
        rowTo={({ id }) => `contracts/${id}`}
        empty={<Empty kind="nothing" title={t.nothing} text={t.nothingText} action={write} />}
      />
    </Page>
  )
}

function NewContract() {
  const t = useTexts(CONTRACT_TEXTS)
  const go = useGo()
  return useMay('contracts.write') ? <Button onClick={() => void go('contracts/new')}>{t.new}</Button> : null
}

function useColumns(): Column<ContractRow>[] {
  const t = useTexts(CONTRACT_TEXTS)
  const at = (time: number | null) => time !== null && <Instant at={time} />
  return [
    { id: 'title', header: t.name, cell: ({ title }) => title },
    { id: 'customer', header: t.customer, cell: ({ customer }) => personName(customer) },
    { id: 'subscription', header: t.subscription, cell: (contract) => <Linked contract={contract} /> },
    { id: 'status', header: t.status, cell: (contract) => <ContractStatus contract={contract} /> },
    { id: 'created', header: t.created, cell: ({ created }) => at(created), optional: 1 },
    { id: 'sent', header: t.sentAt, cell: ({ sent_at: sent }) => at(sent), optional: 2 },
    { id: 'signed', header: t.signedAt, cell: ({ signed_at: signed }) => at(signed) },
    { id: 'number', header: t.number, cell: ({ id }) => <code>{id}</code>, optional: 3 },
    { id: 'voided', header: t.voidedAt, cell: ({ voided_at: voided }) => at(voided), hidden: true },
  ]
}

function Linked({ contract: { subscription, subscription_description: what } }: { contract: ContractRow }) {
  const t = useTexts(CONTRACT_TEXTS)
  if (subscription === null) return '–'
  return <AppLink to={`subscriptions/${subscription}`}>{what || t.showSubscription}</AppLink>
}
