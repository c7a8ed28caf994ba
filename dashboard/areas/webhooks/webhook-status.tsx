import type { DeliveryRow, EndpointOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import { useFormatLocale } from '../../kit/money.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { useInstantText } from '../../kit/time.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

export function EndpointStatus({ endpoint }: { endpoint: EndpointOfPage }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const text = useInstantText()
  const { disabled_reason: reason, failing_since: since } = endpoint
  if (reason !== null) {
    return (
      <Status tone={reason === 'manual' ? 'plain' : 'bad'}>{fill(t.disabledBecause, { reason: t[reason] })}</Status>
    )
  }
  if (since !== null) return <Status tone="warn">{fill(t.failingSince, { time: text(since) })}</Status>
  return <Status tone="good">{t.enabled}</Status>
}

const TONES: Record<DeliveryRow['status'], Tone> = {
  pending: 'info',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'plain',
}

export function DeliveryStatus({ status }: { status: DeliveryRow['status'] }) {
  const t = useTexts(WEBHOOK_TEXTS)
  return <Status tone={TONES[status]}>{t[status]}</Status>
}

/** Returns a function for texts such as `98% of 120`. */
export function useSuccessText(): (view: EndpointOfPage['view']) => string {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useFormatLocale()
  return ({ attempts, successes }) => {
    if (attempts === 0) return t.noAttempts
    const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
    return fill(t.successOf, { percent: percent.format(successes / attempts), count: attempts })
  }
}
