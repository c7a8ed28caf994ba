import { useMay } from '../../kit/me.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import type { Field } from './fields.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** When subscriptions are charged, and what happens to those whose bill is not paid. */
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
  const days = settings.view.retry_days.slice(1).join(', ')
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
  ]
  return (
    <SettingsForm
      groups={[{ title: t.billing, fields, extra: <p className="dimmed">{fill(t.retriesText, { days })}</p> }]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
    />
  )
}
