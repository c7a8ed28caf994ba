import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import type { OpenBatch } from '../../../contract/dashboard/batches-api.ts'
import { fill } from '../../../contract/text.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { Brands, FiguresTable } from './figures.tsx'
import { SettleDialog } from './settle-dialog.tsx'
import { TEXTS } from './texts/texts.ts'

/** Payments of one terminal that are not settled yet. */
export function OpenBatchCard({ batch }: { batch: OpenBatch }) {
  const t = useTexts(TEXTS)
  const maySettle = useMay('batches.settle')
  const [isOpen, setOpen] = useState(false)
  const currency = batch.currency.toUpperCase()
  const { gateway_settles: gatewaySettles, closes_at: closesAt } = batch.view
  const isEmpty = batch.opened_at === null
  const title = fill(t.openBatch, { currency })
  const settle = maySettle && batch.status === 'open' && !gatewaySettles && (
    <Button size="sm" disabled={isEmpty} onClick={() => setOpen(true)}>
      {t.settle}
    </Button>
  )
  return (
    <Card title={title} actions={settle}>
      <div className="stack">
        <BatchAlerts batch={batch} />
        <Fields
          items={[
            [
              t.number,
              batch.id ? (
                <AppLink key="number" to={`batches/${batch.id}`}>
                  {batch.number}
                </AppLink>
              ) : (
                batch.number
              ),
            ],
            [t.status, <BatchStatus key="status" status={batch.status} isEmpty={isEmpty} />],
            [t.since, batch.opened_at && <Instant key="since" at={batch.opened_at} />],
            [
              t.closes,
              gatewaySettles ? t.gatewaySettles : closesAt ? <Instant key="closes" at={closesAt} /> : t.closesNever,
            ],
          ]}
        />
        {isEmpty ? <p className="dimmed">{t.emptyText}</p> : <Open batch={batch} title={title} currency={currency} />}
      </div>
      <SettleDialog opened={isOpen} onClose={() => setOpen(false)} currency={currency as 'CAD' | 'USD'} />
    </Card>
  )
}

function Open({ batch, title, currency }: { batch: OpenBatch; title: string; currency: string }) {
  const t = useTexts(TEXTS)
  return (
    <>
      <FiguresTable caption={title} currency={currency} columns={[[t.amount, batch]]} />
      <Brands brands={batch.by_brand} currency={currency} />
      <p className="dimmed">{t.recordedNote}</p>
    </>
  )
}

export function BatchStatus({ status, isEmpty = false }: { status: OpenBatch['status']; isEmpty?: boolean }) {
  const t = useTexts(TEXTS)
  const tone = ({ open: 'info', settling: 'warn', settled: 'good' } as const)[status]
  return <Status tone={isEmpty ? 'plain' : tone}>{isEmpty ? t.empty : t[status]}</Status>
}

/** Failures and unknown outcomes of the settlement. */
function BatchAlerts({ batch: { status, view } }: { batch: OpenBatch }) {
  const t = useTexts(TEXTS)
  const text = useInstantText()
  if (status === 'settling') {
    return (
      <Alert color={view.needs_attention ? 'red' : 'yellow'} variant="outline" title={t.settlingTitle}>
        {view.sent_at !== null && <p>{fill(t.settlingText, { at: text(view.sent_at) })}</p>}
        {view.needs_attention && <p>{t.attentionText}</p>}
      </Alert>
    )
  }
  if (view.failed_at === null) return null
  return (
    <Alert color="red" variant="outline" title={t.failedTitle}>
      {fill(t.failedText, { at: text(view.failed_at) })}
    </Alert>
  )
}
