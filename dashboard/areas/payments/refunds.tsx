import type { PaymentDetail, ShownRefund } from '../../../contract/dashboard/payments-api.ts'
import { Card } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { ListTable } from '../../kit/list-table.tsx'
import { useMoney } from '../../kit/money.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'

const TONES: Record<ShownRefund['status'], Tone> = { succeeded: 'good', pending: 'warn', failed: 'bad' }

/** Refunds of a payment: amount, time and person. */
export function Refunds({ payment: { refunds } }: { payment: PaymentDetail }) {
  const t = useTexts(PAYMENT_TEXTS)
  const gateway = useGatewayTexts()
  const money = useMoney()
  if (refunds.length === 0) return null
  return (
    <Card title={t.refunds}>
      <ListTable<ShownRefund>
        caption={t.refunds}
        rows={refunds}
        columns={[
          { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
          {
            id: 'amount',
            header: t.amount,
            align: 'end',
            cell: ({ amount, currency }) => money(amount, currency.toUpperCase()),
          },
          {
            id: 'status',
            header: t.status,
            cell: ({ status, failure_reason: failed, code, message }) => (
              <>
                <Status tone={TONES[status]}>{t[`r_${status}`]}</Status>
                {failed && <div className="dimmed">{t[failed]}</div>}
                {failed && (code ?? message) && <div className="dimmed">{codeText(code, gateway) ?? message}</div>}
              </>
            ),
          },
          {
            id: 'reason',
            header: t.reason,
            cell: ({ reason, note }) => (
              <>
                {reason ? t[reason] : '–'}
                {note && <div className="dimmed">{note}</div>}
              </>
            ),
          },
          { id: 'by', header: t.by, cell: ({ by }) => by ?? t.byApi },
          { id: 'receipt', header: t.receipt, cell: ({ receipt_id: receipt }) => receipt ?? '–' },
        ]}
      />
    </Card>
  )
}
