import { Button, FileInput, Radio, Select, TextInput } from '@mantine/core'
import { CORNER_RADIUS, FONT_STACKS } from '../../../contract/page-look.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import type { ColorCheck, Look } from './use-branding-draft.ts'

interface ColorInputProps {
  value: string
  /** Check of the last valid colour. */
  check: ColorCheck | null
  onChange(color: string | null): void
}

const DEFAULT_COLOR = '#1f4e8c'

/** A colour as text and as the browser's colour picker, with its contrast. */
export function ColorInput({ value, check, onChange }: ColorInputProps) {
  const t = useTexts(SETTINGS_TEXTS)
  const isWhole = /^#[\da-f]{6}$/i.test(value)
  const isShown = check !== null && isWhole
  return (
    <div className="stack">
      <div className="color-row">
        <TextInput
          label={t.color}
          description={t.colorHint}
          value={value}
          maxLength={7}
          maw={320}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
        />
        <input
          type="color"
          aria-label={t.pickColor}
          value={isWhole ? value.toLowerCase() : DEFAULT_COLOR}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </div>
      <div role="status">
        {isShown && check.is_accepted && <p className="dimmed">{fill(t.contrast, { contrast: check.contrast })}</p>}
        {isShown && !check.is_accepted && (
          <div className="stack">
            <p className="bad-text">{fill(t.contrastTooLow, { contrast: check.contrast, nearest: check.nearest })}</p>
            <div>
              <Button variant="default" size="sm" onClick={() => onChange(check.nearest)}>
                {fill(t.useNearest, { nearest: check.nearest })}
              </Button>
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

type Scheme = NonNullable<Look['color_scheme']>

export function SchemeInput({ value, onChange }: { value: Look['color_scheme']; onChange(scheme: Scheme): void }) {
  const t = useTexts(SETTINGS_TEXTS)
  return (
    <Radio.Group label={t.scheme} value={value ?? 'auto'} onChange={(scheme) => onChange(scheme as Scheme)}>
      <div className="choices">
        <Radio value="auto" label={t.schemeAuto} />
        <Radio value="light" label={t.schemeLight} />
        <Radio value="dark" label={t.schemeDark} />
      </div>
    </Radio.Group>
  )
}

interface RadiusInputProps {
  value: Look['corner_radius']
  onChange(pixels: number): void
}

/** Radius of fields and buttons, as a native slider. */
export function RadiusInput({ value = CORNER_RADIUS.usual, onChange }: RadiusInputProps) {
  const t = useTexts(SETTINGS_TEXTS)
  const { min, max } = CORNER_RADIUS
  const shown = fill(t.pixels, { pixels: value })
  return (
    <label className="slider">
      <span>{t.radius}</span>
      <input
        type="range"
        {...{ min, max, value }}
        aria-valuetext={shown}
        onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
      />
      <span className="dimmed" aria-hidden="true">
        {shown}
      </span>
    </label>
  )
}

type Font = NonNullable<Look['font_stack']>

export function FontInput({ value, onChange }: { value: Look['font_stack']; onChange(font: Font): void }) {
  const t = useTexts(SETTINGS_TEXTS)
  const names: Record<Font, string> = {
    system: t.fontSystem,
    humanist: t.fontHumanist,
    geometric: t.fontGeometric,
    rounded: t.fontRounded,
    serif: t.fontSerif,
  }
  return (
    <Select
      label={t.font}
      description={t.fontHint}
      maw={420}
      data={FONT_STACKS.map((font) => ({ value: font, label: names[font] }))}
      value={value ?? 'system'}
      allowDeselect={false}
      onChange={(font) => font && onChange(font as Font)}
    />
  )
}

interface LogoInputProps {
  hasLogo: boolean
  error: string | undefined
  onChange(base64: string | null): void
}

export function LogoInput({ hasLogo, error, onChange }: LogoInputProps) {
  const t = useTexts(SETTINGS_TEXTS)
  return (
    <div className="stack">
      <FileInput
        label={t.logo}
        description={t.logoHint}
        placeholder={hasLogo ? t.logoIsSet : t.noLogo}
        accept="image/png,image/jpeg"
        error={error}
        maw={420}
        onChange={(file) => void (file && base64Of(file).then(onChange))}
      />
      {hasLogo && (
        <div>
          <Button variant="default" size="sm" onClick={() => onChange(null)}>
            {t.removeLogo}
          </Button>
        </div>
      )}
    </div>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
