import type { SimulatorRow } from '../../../contract/dashboard/test-tools-api.ts'
import { Empty } from '../../kit/empty.tsx'
import type { Column } from '../../kit/list.tsx'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { WholeList } from '../../kit/whole-list.tsx'
import { TEST_TEXTS } from './texts/texts.ts'

type Row = SimulatorRow & { id: string }

export default function LedgerPage() {
  const t = useTexts(TEST_TEXTS)
  const money = useMoney()
  const read = useRead('GET /simulator_ledger')
  const columns: Column<Row>[] = [
    { id: 'seq', header: '#', align: 'end', cell: ({ seq }) => seq },
    { id: 'time', header: t.time, cell: ({ at }) => <Instant at={at / 1000} seconds /> },
    { id: 'op', header: t.operation, cell: ({ op }) => t[`op_${op}`] },
    { id: 'amount', header: t.amount, align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
    { id: 'approved', header: t.approved, align: 'end', cell: (row) => money(row.approved_amount, row.currency) },
    { id: 'outcome', header: t.outcome, cell: ({ outcome }) => t[`outcome_${outcome}`] },
    { id: 'state', header: t.state, cell: ({ state }) => (state === null ? '–' : t[`state_${state}`]) },
    { id: 'card', header: t.card, cell: ({ last4 }) => (last4 === null ? '–' : `•••• ${last4}`) },
    { id: 'delivered', header: t.delivered, cell: ({ delivered }) => t[`delivered_${delivered}`] },
    { id: 'reference', header: t.reference, cell: (row) => <code>{row.merchant_ref}</code> },
  ]
  return (
    <Page title={t.ledger} breadcrumbs={[{ label: t.title, to: 'test' }]}>
      <p>{t.ledgerText}</p>
      <WholeList<Row>
        caption={t.ledger}
        columns={columns}
        rows={read.data?.data.map((row) => ({ ...row, id: String(row.seq) }))}
        error={read.error}
        onRetry={() => void read.refetch()}
        empty={<Empty kind="nothing" title={t.noRows} text={t.noRowsText} />}
      />
    </Page>
  )
}
