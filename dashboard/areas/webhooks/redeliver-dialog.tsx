import { useEffect, useState } from 'react'
import type { EndpointOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { dayIn } from '../../kit/days.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { DayField, OWN_ZONE } from '../../kit/time.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

const DAYS_BACK = 3
const STATUSES: ('failed' | 'canceled' | 'missing')[] = ['failed', 'canceled', 'missing']

/** In real time, in which events are recorded; the day of the browser. */
const dayBack = (days: number) => dayIn(OWN_ZONE, Date.now() - days * 86_400_000)
const startOf = (day: string) => Math.floor(new Date(`${day}T00:00:00`).getTime() / 1000)

/** Sends again what an endpoint missed, after it was counted. */
export function RedeliverDialog({ endpoint: { id }, onClose }: { endpoint: EndpointOfPage; onClose(): void }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const [day, setDay] = useState(dayBack(DAYS_BACK))
  const { count, error } = useCount(id, day)
  async function redeliver() {
    let sent = 0
    let after: string | undefined
    // One call looks at a limited number of events.
    for (let hasMore = true; hasMore; ) {
      const body = { since: startOf(day), status: STATUSES, ...(after !== undefined && { starting_after: after }) }
      const done = await call('POST /webhook_endpoints/{id}/redeliver', { params: { id }, body })
      sent += done.deliveries
      after = done.last_event ?? undefined
      hasMore = done.has_more && after !== undefined
    }
    toast(plural(t.redelivered, sent, locale))
    await invalidate('GET /webhook_endpoints/{id}/deliveries')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.redeliverTitle}
      verb={t.redeliverVerb}
      onConfirm={redeliver}
      disabled={count === undefined || count === 0}
    >
      <p>{t.redeliverText}</p>
      <DayField label={t.since} value={day} max={dayBack(0)} onChange={setDay} maw={240} />
      <Refusal error={error} />
      <p role="status">
        {count === undefined ? !error && t.counting : count === null ? t.countMore : plural(t.countOf, count, locale)}
      </p>
    </ConfirmDialog>
  )
}

/** `undefined` while it is counted, `null` for more than 10,000. */
function useCount(id: string, day: string) {
  const call = useCall()
  const [counted, setCounted] = useState<{ day: string; count?: number | null; error?: unknown }>({ day })
  useEffect(() => {
    if (day === '') return
    let isCurrent = true
    const body = { since: startOf(day), status: STATUSES }
    call('POST /webhook_endpoints/{id}/redeliver/preview', { params: { id }, body }).then(
      ({ deliveries: count }) => isCurrent && setCounted({ day, count }),
      (error: unknown) => isCurrent && setCounted({ day, error }),
    )
    return () => {
      isCurrent = false
    }
  }, [call, id, day])
  return counted.day === day ? counted : { count: undefined, error: undefined }
}
