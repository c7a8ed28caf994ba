import type { Retried, RetryBlock, RetryPreview } from '../../../contract/dashboard/bill-views.ts'
import { fill, plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { codeText, type GatewayTexts, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { useMoney } from '../../kit/money.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { DayRange, useInstantText } from '../../kit/time.tsx'
import { FiguresChanged, Was } from '../../kit/was.tsx'
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
  const { former, commit } = useAgreement(preview)
  const charge = async (key: string) => {
    try {
      const body = { preview_hash: preview.data?.preview_hash ?? '' }
      const response = await commit(() => call('POST /subscriptions/{id}/retry', { params, body, key }))
      toast(outcomeText(response, t, gateway))
    } finally {
      await changed()
    }
  }
  const { amount, currency } = preview.data ?? {}
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.retryTitle}
      about={of.id}
      verb={
        amount === undefined ? t.retry : fill(t.retryVerb, { amount: money(amount, currency?.toUpperCase() ?? '') })
      }
      isOnce
      onConfirm={charge}
      disabled={!preview.data || preview.isFetching || preview.data.blocked !== null}
      refusalOf={quietWhenStale}
      size="lg"
    >
      <FiguresChanged since={former} />
      <Refusal error={preview.error} />
      {preview.data && <Facts preview={preview.data} former={former} />}
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

function Facts({ preview, former }: { preview: RetryPreview; former: RetryPreview | null }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const instant = useInstantText()
  const locale = useLocale()
  const blocks: Record<RetryBlock, string> = {
    no_bill: t.no_bill,
    charging: t.charging_block,
    paused: t.paused_block,
    card_blocked: t.card_blocked,
    card_detached: t.card_detached_block,
    contract_unsigned: t.contract_unsigned,
  }
  const amount = (one: RetryPreview) => money(one.amount, one.currency.toUpperCase())
  const { bill, marks, next_attempt_at: next, card, blocked } = preview
  return (
    <>
      {bill && (
        <p>
          {t.billPeriod}: <DayRange {...bill.period} />,{' '}
          <Was former={former ? amount(former) : undefined} now={amount(preview)} />.{' '}
          {plural(t.triesSoFar, bill.tries, locale)}
        </p>
      )}
      <AttemptMarks marks={marks} />
      <p>{next === null ? t.noAutomatic : fill(t.nextAutomatic, { when: instant(next) })}</p>
      <CardText card={card} />
      {blocked === null ? <p>{t.retryText}</p> : <Notice tone="warn" text={blocks[blocked]} />}
    </>
  )
}
