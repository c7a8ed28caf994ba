import type { BodyOf } from '../../../contract/dashboard/dashboard-api.ts'
import { useCall } from '../../kit/call.ts'
import { useMay } from '../../kit/me.ts'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import type { Field, Members } from './fields.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'

/** Limits up to which people do not need step-up. */
export default function LimitsPage() {
  const t = useTexts(SETTINGS_TEXTS)
  const read = useRead('GET /settings/limits')
  const mayChange = useMay('limits.write')
  const call = useCall()
  const invalidate = useInvalidate()
  const fields: Field[] = [
    { name: 'refund_step_up_amount', kind: 'amount', label: t.refundStepUp, isRequired: true },
    {
      ...{ name: 'refund_daily_amount', kind: 'amount', label: t.refundDaily, hint: t.refundDailyHint },
      isRequired: true,
    },
    { name: 'customer_export_rows', kind: 'number', label: t.exportRows, isRequired: true },
    { name: 'second_factor_required', kind: 'toggle', label: t.secondFactorRequired },
    {
      ...{ name: 'session_minutes', kind: 'number', label: t.sessionMinutes, hint: t.sessionMinutesHint },
      isRequired: true,
    },
  ]
  async function save(body: Members & { version: string }) {
    try {
      return await call('PATCH /settings/limits', { body: body as BodyOf<'PATCH /settings/limits'> })
    } finally {
      await invalidate('GET /settings/limits')
    }
  }
  return (
    <SettingsFrame part="limits">
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && (
        <SettingsForm
          groups={[{ title: t.limitsTitle, fields }]}
          settings={read.data}
          save={save}
          mayChange={mayChange}
          readOnlyReason={t.ownersOnly}
          confirm={[{ names: fields.map(({ name }) => name), text: t.limitsConfirm }]}
        />
      )}
    </SettingsFrame>
  )
}
