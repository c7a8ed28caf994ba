import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { QueryOf } from '../../../contract/dashboard/dashboard-api.ts'
import { pathIn } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { useBusiness } from '../../kit/me.ts'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'

type Shown = QueryOf<'GET /branding/preview'>

const SIZES = ['desk', 'phone', 'modal'] as const
type Size = (typeof SIZES)[number]

/** The payment page itself, without scripts, in a sandboxed frame. */
export function BrandingPreview({ draft }: { draft: string | null }) {
  const t = useTexts(SETTINGS_TEXTS)
  const { id } = useBusiness()
  const [size, setSize] = useState<Size>('desk')
  const [locale, setLocale] = useState<Shown['locale']>(useLocale())
  const [state, setState] = useState<Shown['state']>('open')
  const surface = size === 'modal' ? 'rapid' : 'hosted'
  const query = new URLSearchParams({ draft: draft ?? '', locale, state, surface })
  return (
    <Card title={t.livePreview}>
      <div className="stack">
        <Choices shown={{ size, locale, state }} onSize={setSize} onLocale={setLocale} onState={setState} />
        {draft !== null && (
          <div className="preview-box" data-size={size}>
            <iframe
              title={t.frameTitle}
              sandbox=""
              src={`${pathIn(id, '/branding/preview')}?${query}`}
              referrerPolicy="no-referrer"
            />
          </div>
        )}
      </div>
    </Card>
  )
}

interface ChoicesProps {
  shown: { size: Size; locale: Shown['locale']; state: Shown['state'] }
  onSize(size: Size): void
  onLocale(locale: Shown['locale']): void
  onState(state: Shown['state']): void
}

function Choices({ shown, onSize, onLocale, onState }: ChoicesProps) {
  const t = useTexts(SETTINGS_TEXTS)
  return (
    <div className="choices">
      <Choice
        label={t.size}
        value={shown.size}
        onChange={onSize}
        options={SIZES.map((value) => ({ value, label: t[value] }))}
      />
      <Choice
        label={t.language}
        value={shown.locale}
        onChange={onLocale}
        options={[
          { value: 'en', label: 'English' },
          { value: 'fr-CA', label: 'Français' },
          { value: 'es', label: 'Español' },
        ]}
      />
      <Choice
        label={t.state}
        value={shown.state}
        onChange={onState}
        options={[
          { value: 'open', label: t.stateOpen },
          { value: 'declined', label: t.stateDeclined },
          { value: 'paid', label: t.statePaid },
          { value: 'expired', label: t.stateExpired },
          { value: 'failed', label: t.stateFailed },
        ]}
      />
    </div>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: { value: NoInfer<Value>; label: string }[]
  onChange: (value: NoInfer<Value>) => void
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <SegmentedControl
      aria-label={label}
      size="sm"
      data={options}
      value={value}
      onChange={(chosen) => onChange(chosen as Value)}
    />
  )
}
