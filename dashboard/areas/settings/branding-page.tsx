import { Alert } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CallError } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { useToast } from '../../kit/dialog.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { useMay } from '../../kit/me.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useTexts } from '../../kit/texts.ts'
import { BrandingPreview } from './branding-preview.tsx'
import { ColorInput, FontInput, LogoInput, RadiusInput, SchemeInput } from './look-inputs.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Look, useBrandingDraft } from './use-branding-draft.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** Logo, colours, corners and fonts of the payment page, with a preview of the page. */
export default function BrandingPage() {
  return (
    <SettingsFrame part="branding">
      <WithSettings>{(settings) => <Branding settings={settings} />}</WithSettings>
    </SettingsFrame>
  )
}

function Branding({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const may = useMay('branding.write')
  if (!may) return <Alert color="gray" variant="outline" title={t.readOnly} />
  return <BrandingForm settings={settings} />
}

function BrandingForm({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const form = useBranding(settings)
  const { look, set, error } = form
  const draft = useBrandingDraft(look)
  return (
    <div className="branding">
      <form className="stack" onSubmit={form.submit} noValidate>
        {form.isStale && <Alert color="yellow" variant="outline" title={t.changedMeanwhile} role="alert" />}
        <FormProblems error={error} labels={{ brand_color: t.color, logo: t.logo }} />
        <Card title={t.look}>
          <div className="stack">
            <ColorInput
              value={look.brand_color ?? ''}
              check={draft.color}
              onChange={(brand_color) => set({ brand_color })}
            />
            <SchemeInput value={look.color_scheme} onChange={(color_scheme) => set({ color_scheme })} />
            <RadiusInput value={look.corner_radius} onChange={(corner_radius) => set({ corner_radius })} />
            <FontInput value={look.font_stack} onChange={(font_stack) => set({ font_stack })} />
            <LogoInput
              hasLogo={look.logo === undefined ? settings.logo_url !== null : look.logo !== null}
              error={error instanceof CallError ? error.errors.logo : draft.logoError}
              onChange={(logo) => set({ logo })}
            />
            <div>
              <SendButton error={form.error} loading={form.isSaving} disabled={!form.isChanged}>
                {t.save}
              </SendButton>
            </div>
          </div>
        </Card>
      </form>
      <BrandingPreview draft={draft.id} />
    </div>
  )
}

const lookOf = ({ brand_color, color_scheme, corner_radius, font_stack }: Settings): Look => ({
  brand_color,
  color_scheme,
  corner_radius,
  font_stack,
})

const changedSince = (sent: Look, now: Look): Partial<Look> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Look]))

function useBranding(settings: Settings) {
  const t = useTexts(SETTINGS_TEXTS)
  const save = useSave('PATCH /branding')
  const toast = useToast()
  const [base, setBase] = useState(settings)
  const [look, setLook] = useState<Look>(() => lookOf(settings))
  const [error, setError] = useState<unknown>(null)
  const [isStale, setStale] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const isChanged = JSON.stringify(look) !== JSON.stringify(lookOf(base))
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isChanged || isSaving) return
    setSaving(true)
    setError(null)
    try {
      const saved = await save({ ...look, version: base.version })
      setBase(saved)
      // Changes made after the request was sent are preserved.
      setLook((now) => ({ ...lookOf(saved), ...changedSince(look, now) }))
      setStale(false)
      toast(t.saved)
    } catch (failed) {
      const current = failed instanceof CallError && failed.code === 'conflict' && failed.extra.current
      if (!current) return setError(failed)
      setBase(current as Settings)
      setStale(true)
    } finally {
      setSaving(false)
    }
  }
  const set = (change: Partial<Look>) => {
    setLook({ ...look, ...change })
    // The error of the previous value does not apply to the new one.
    if (error instanceof CallError && Object.keys(change).some((name) => name in error.errors)) setError(null)
  }
  return { look, set, error, isStale, isSaving, isChanged, submit }
}
