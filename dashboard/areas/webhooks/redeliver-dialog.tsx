import { useEffect, useState } from 'react'
import type { EndpointOfPage, RedeliveryPreview } from '../../../contract/dashboard/webhooks-api.ts'
import { fill, plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { dayIn } from '../../kit/days.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { DayField, OWN_ZONE } from '../../kit/time.tsx'
import { useSpentHourText, useTimeIn } from './spent-hour.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

const DAYS_BACK = 3
const STATUSES: ('failed' | 'canceled' | 'missing')[] = ['failed', 'canceled', 'missing']

/** Returns the browser's day a number of days ago. It uses real time, in which events are recorded. */
const dayBack = (days: number) => dayIn(OWN_ZONE, Date.now() - days * 86_400_000)
const startOf = (day: string) => Math.floor(new Date(`${day}T00:00:00`).getTime() / 1000)

/** Redelivers what an endpoint missed, after showing the count. */
export function RedeliverDialog({ endpoint: { id }, onClose }: { endpoint: EndpointOfPage; onClose(): void }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const [day, setDay] = useState(dayBack(DAYS_BACK))
  const { preview, error } = usePreview(id, day)
  const spentText = useSpentHourText()
  const timeIn = useTimeIn()
  async function redeliver() {
    let sent = 0
    let after: string | undefined
    let spent: number | null = null
    // One call handles a limited number of events.
    for (let hasMore = true; hasMore && spent === null; ) {
      const body = { since: startOf(day), status: STATUSES, ...(after !== undefined && { starting_after: after }) }
      const done = await call('POST /webhook_endpoints/{id}/redeliver', { params: { id }, body })
      sent += done.deliveries
      after = done.last_event ?? undefined
      hasMore = done.has_more && after !== undefined
      spent = hasMore ? done.retry_after : null
    }
    const restText = spent === null ? '' : ` ${fill(t.restFrom, { time: timeIn(spent) })}`
    toast(plural(t.redelivered, sent, locale) + restText)
    await invalidate('GET /webhook_endpoints/{id}/deliveries')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.redeliverTitle}
      verb={t.redeliverVerb}
      onConfirm={redeliver}
      disabled={!preview || preview.deliveries === 0 || preview.remaining === 0}
      refusalOf={(refusal) => <Refusal error={refusal} text={spentText(refusal)} />}
    >
      <p>{t.redeliverText}</p>
      <DayField label={t.since} value={day} max={dayBack(0)} onChange={setDay} maw={240} />
      <Refusal error={error} />
      <p role="status">{preview ? <PreviewText {...preview} /> : !error && t.counting}</p>
    </ConfirmDialog>
  )
}

function PreviewText({ deliveries, remaining, retry_after: wait }: RedeliveryPreview) {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const timeIn = useTimeIn()
  const text = deliveries === null ? t.countMore : plural(t.countOf, deliveries, locale)
  if (wait !== null && deliveries !== 0) return `${text} ${fill(t.hourSpent, { time: timeIn(wait) })}`
  return deliveries === null || deliveries > remaining ? `${text} ${plural(t.onlyNow, remaining, locale)}` : text
}

/** Reads the preview; there is none while deliveries are counted. */
function usePreview(id: string, day: string) {
  const call = useCall()
  const [counted, setCounted] = useState<{ day: string; preview?: RedeliveryPreview; error?: unknown }>({ day })
  useEffect(() => {
    if (day === '') return
    let isCurrent = true
    const body = { since: startOf(day), status: STATUSES }
    call('POST /webhook_endpoints/{id}/redeliver/preview', { params: { id }, body }).then(
      (preview) => isCurrent && setCounted({ day, preview }),
      (error: unknown) => isCurrent && setCounted({ day, error }),
    )
    return () => {
      isCurrent = false
    }
  }, [call, id, day])
  return counted.day === day ? counted : { preview: undefined, error: undefined }
}
