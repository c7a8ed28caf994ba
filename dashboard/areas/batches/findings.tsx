import { Card } from '../../kit/detail.tsx'
import { useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { ListTable } from '../../kit/list-table.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day, Instant } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

/** Unresolved findings of the comparison with the gateway; renders nothing if there are none. */
export function Findings() {
  const t = useTexts(TEXTS)
  const gateway = useGatewayTexts()
  const money = useMoney()
  const { data, error, refetch } = useRead('GET /findings')
  if (error) return <Refusal error={error} onRetry={() => void refetch()} />
  if (!data || data.data.length === 0) return null
  const side = (amount: number | null, state: string | null, currency: string) =>
    amount === null ? '–' : `${money(amount, currency)}${state === null ? '' : ` · ${state}`}`
  return (
    <Card title={t.findings}>
      <p>{t.findingsText}</p>
      <ListTable
        caption={t.finding_kind}
        rows={data.data}
        columns={[
          { id: 'kind', header: t.finding_kind, cell: ({ kind }) => t[`finding_${kind}`] },
          { id: 'day', header: t.dayUtc, cell: ({ day }) => <Day of={day} /> },
          { id: 'reference', header: t.reference_ours, cell: ({ reference }) => <code>{reference}</code> },
          {
            id: 'ours',
            header: t.ours,
            cell: ({ our_amount: amount, our_state: state, currency }) =>
              side(amount, state && gateway[state], currency),
          },
          {
            id: 'theirs',
            header: t.theirs,
            cell: ({ gateway_amount: amount, gateway_state: state, currency }) =>
              side(amount, state && gateway[`gateway_${state}`], currency),
          },
          { id: 'found', header: t.found, cell: ({ found_at: at }) => <Instant at={at} /> },
        ]}
      />
    </Card>
  )
}
