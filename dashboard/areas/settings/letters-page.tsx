import { Switch } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { currentOf } from '../../kit/edited.ts'
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

/** Sender and recipients of letters, which letters are sent, and previews. */
export default function LettersPage() {
  return (
    <SettingsFrame part="letters">
      <WithSettings>
        {(settings) => (
          <>
            <SenderForm settings={settings} />
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

/** Switches for letters, each of which takes effect at once. */
function WhichLetters({ settings }: { settings: Settings }) {
  const t = useTexts(SETTINGS_TEXTS)
  const names = useTexts(LETTER_NAMES)
  const mayChange = useMay('letters.write')
  const { isOn, toggle, error } = useLetterSwitches(settings)
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
                checked={isOn(letter)}
                disabled={!mayChange}
                onChange={({ currentTarget }) => toggle(letter, currentTarget.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </Card>
  )
}

/**
 * Sends the switches one after another, each based on the settings stored by then, even if somebody else changes other
 * settings.
 */
function useLetterSwitches(settings: Settings) {
  const save = useSave('PATCH /settings/letters')
  const [wanted, setWanted] = useState<Record<string, boolean>>({})
  const [error, setError] = useState<unknown>(null)
  const stored = useRef(settings)
  const queue = useRef(Promise.resolve())
  useEffect(() => {
    stored.current = settings
  }, [settings])
  async function write(letter: string, isOn: boolean, isRepeated = false): Promise<void> {
    const { letters_off: off, version } = stored.current
    const others = off.filter((one) => one !== letter)
    try {
      stored.current = await save({ letters_off: isOn ? others : [...others, letter], version })
    } catch (failed) {
      const current = currentOf<Settings>(failed)
      if (!current || isRepeated) throw failed
      stored.current = current
      await write(letter, isOn, true)
    }
  }
  function toggle(letter: string, isOn: boolean): void {
    setError(null)
    setWanted((former) => ({ ...former, [letter]: isOn }))
    const forget = () =>
      setWanted((former) => {
        const { [letter]: last, ...others } = former
        return last === isOn ? others : former
      })
    queue.current = queue.current
      .then(() => write(letter, isOn))
      .then(forget, (failed) => {
        setError(failed)
        forget()
      })
  }
  const isOn = (letter: string) => wanted[letter] ?? settings.letters_off.every((one) => one !== letter)
  return { isOn, toggle, error }
}
