import { Switch } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { LETTER_NAMES } from '../../kit/letter-names/letter-names.ts'
import { useMay } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import type { Field } from './fields.ts'
import { LetterPreview } from './letter-preview.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type Settings, useSave, WithSettings } from './with-settings.tsx'

/** Who sends letters, who gets them, which are sent, and how each looks. */
export default function LettersPage() {
  return (
    <SettingsFrame part="letters">
      <WithSettings>
        {(settings) => (
          <>
            <SenderForm key={settings.version} settings={settings} />
            <WhichLetters settings={settings} />
            <LetterPreview letters={settings.view.letters} />
          </>
        )}
      </WithSettings>
    </SettingsFrame>
  )
}

function SenderForm({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const mayChange = useMay('letters.write')
  const save = useSave('PATCH /settings/letters')
  const fields: Field[] = [
    { name: 'sender_name', kind: 'text', label: t.senderName, hint: t.senderNameHint },
    { name: 'reply_to', kind: 'text', type: 'email', label: t.replyTo, hint: t.replyToHint },
    { name: 'notified_emails', kind: 'list', label: t.notifiedEmails, hint: t.notifiedEmailsHint },
    { name: 'renewal_notice_days', kind: 'number', label: t.renewalNoticeDays, hint: t.renewalNoticeHint },
  ]
  return (
    <SettingsForm
      groups={[{ title: t.sender, fields }]}
      settings={settings}
      save={save}
      mayChange={mayChange}
      readOnlyReason={t.readOnly}
    />
  )
}

/** Each is switched at once. */
function WhichLetters({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const names = useTexts(LETTER_NAMES)
  const mayChange = useMay('letters.write')
  const save = useSave('PATCH /settings/letters')
  const [error, setError] = useState<unknown>(null)
  const off = new Set(settings.letters_off)
  async function toggle(letter: string, isOn: boolean) {
    setError(null)
    const letters_off = isOn ? [...off].filter((one) => one !== letter) : [...off, letter]
    await save({ letters_off, version: settings.version }).catch(setError)
  }
  const groups = [
    { title: t.toCustomers, letters: settings.view.letters.filter((letter) => letter.startsWith('customer.')) },
    { title: t.toYou, letters: settings.view.letters.filter((letter) => letter.startsWith('merchant.')) },
  ]
  return (
    <Card title={t.whichLetters}>
      <FormProblems error={error} />
      <div className="cards">
        {groups.map(({ title, letters }) => (
          <fieldset key={title} className="plain-fieldset stack" disabled={!mayChange}>
            <legend className="label">{title}</legend>
            {letters.map((letter) => (
              <Switch
                key={letter}
                label={names[letter]}
                checked={!off.has(letter)}
                disabled={!mayChange}
                onChange={({ currentTarget }) => void toggle(letter, currentTarget.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </Card>
  )
}
