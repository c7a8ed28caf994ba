import { useMay } from '../../kit/me.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** When batches are settled automatically. */
export default function BatchesPage() {
  return (
    <SettingsFrame part="batches">
      <WithSettings>{(settings) => <BatchesForm settings={settings} />}</WithSettings>
    </SettingsFrame>
  )
}

function BatchesForm({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const mayChange = useMay('settings.write')
  const save = useSave('PATCH /settings')
  const field = {
    name: 'batch_close_time',
    kind: 'text',
    type: 'time',
    label: t.closeTime,
    hint: t.closeTimeHint,
  } as const
  const zone = <p className="dimmed">{fill(t.zoneIs, { zone: settings.time_zone })}</p>
  return (
    <SettingsForm
      groups={[{ title: t.batches, fields: [field], extra: zone }]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
    />
  )
}
