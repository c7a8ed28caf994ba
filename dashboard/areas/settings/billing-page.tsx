import { Fields } from '../../kit/detail.tsx'
import { useMay } from '../../kit/me.ts'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import type { Field } from './fields.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** When subscriptions are charged, and what happens after an unpaid bill. */
export default function BillingPage() {
  return (
    <SettingsFrame part="billing">
      <WithSettings>{(settings) => <BillingForm settings={settings} />}</WithSettings>
    </SettingsFrame>
  )
}

function BillingForm({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const mayChange = useMay('settings.write')
  const save = useSave('PATCH /settings')
  const days = new Intl.ListFormat(useLocale()).format(daysAfter(settings.view.retry_days).map(String))
  const fields: Field[] = [
    {
      ...{ name: 'first_charge', kind: 'select', label: t.firstCharge, isRequired: true },
      options: [
        { value: 'on_start_date', label: t.onStartDate },
        { value: 'at_create', label: t.atCreate },
      ],
    },
    {
      ...{ name: 'after_last_retry', kind: 'select', label: t.afterLastRetry, isRequired: true },
      options: [
        { value: 'keep', label: t.keep },
        { value: 'pause', label: t.pause },
        { value: 'cancel', label: t.cancel },
      ],
    },
    {
      ...{ name: 'billing_run_local_time', kind: 'text', type: 'time', isRequired: true },
      ...{ label: t.runTime, hint: t.runTimeHint },
    },
    {
      ...{ name: 'missed_dates_max', kind: 'number', isRequired: true },
      ...{ label: t.missedDates, hint: t.missedDatesHint },
    },
  ]
  return (
    <SettingsForm
      groups={[{ title: t.billing, fields, extra: <Fields items={[[t.retries, fill(t.retriesText, { days })]]} /> }]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
      confirm={[{ names: ['billing_run_local_time'], text: t.runTimeConfirm }]}
    />
  )
}

/**
 * @param waits - days before each try: 0, 3, 3, 3
 * @returns days from the first try to each of the others: 3, 6, 9
 */
function daysAfter(waits: number[]): number[] {
  return waits.map((_, index) => waits.slice(0, index + 1).reduce((sum, days) => sum + days, 0)).slice(1)
}
