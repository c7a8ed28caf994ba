import type { Retried, RetryBlock, RetryPreview } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { codeText, type GatewayTexts, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { useMoney } from '../../kit/money.tsx'
import { usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useInstantText } from '../../kit/time.tsx'
import { AttemptMarks } from './attempt-marks.tsx'
import type { DialogProps } from './dialog-props.ts'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { CardText } from './words.tsx'

/** Charges the open bill now. */
export default function RetryDialog({ of, onClose }: DialogProps) {
  const t = useTexts(TEXTS)
  const gateway = useGatewayTexts()
  const money = useMoney()
  const call = useCall()
  const changed = useChanged()
  const toast = useToast()
  const params = { id: of.id }
  const preview = usePreview('POST /subscriptions/{id}/retry/preview', { params, enabled: true })
  const charge = async (key: string) => {
    try {
      const body = { preview_hash: preview.data?.preview_hash ?? '' }
      const response = await call('POST /subscriptions/{id}/retry', { params, body, key })
      toast(outcomeText(response, t, gateway))
    } catch (error) {
      if ((error as CallError).code === 'quote_stale') await preview.refetch()
      throw error
    } finally {
      await changed()
    }
  }
  const amount = money(of.amount, of.currency.toUpperCase())
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.retryTitle}
      verb={fill(t.retryVerb, { amount })}
      onConfirm={charge}
      disabled={!preview.data || preview.data.blocked !== null}
      size="lg"
    >
      <Refusal error={preview.error} />
      {preview.data && <Facts preview={preview.data} />}
    </ConfirmDialog>
  )
}

type Texts = ReturnType<typeof useTexts<(typeof TEXTS)['english']>>

function outcomeText({ outcome, code, message }: Retried, t: Texts, gateway: GatewayTexts): string {
  if (outcome === 'approved') return t.retryApproved
  if (outcome === 'not_charged') return t.retryNotCharged
  if (outcome === 'unknown') return t.retryUnknown
  return fill(t.retryDeclined, { reason: codeText(code, gateway) ?? message ?? '' })
}

function Facts({ preview }: { preview: RetryPreview }) {
  const t = useTexts(TEXTS)
  const instant = useInstantText()
  const blocks: Record<RetryBlock, string> = {
    no_bill: t.no_bill,
    charging: t.charging_block,
    paused: t.paused_block,
    card_blocked: t.card_blocked,
    card_detached: t.card_detached_block,
    contract_unsigned: t.contract_unsigned,
  }
  const { marks, next_attempt_at: next, card, blocked } = preview
  return (
    <>
      <AttemptMarks marks={marks} />
      <p>{next === null ? t.noAutomatic : fill(t.nextAutomatic, { when: instant(next) })}</p>
      <CardText card={card} />
      {blocked === null ? <p>{t.retryText}</p> : <Notice tone="warn" text={blocks[blocked]} />}
    </>
  )
}
