import { Button, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import type { QueryOf } from '../../../contract/dashboard/dashboard-api.ts'
import type { SwitchableLetter } from '../../../contract/letters.ts'
import { pathIn, useCall } from '../../kit/call.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { useToast } from '../../kit/dialog.tsx'
import { LETTER_NAMES } from '../../kit/letter-names/letter-names.ts'
import { useBusiness, useMay } from '../../kit/me.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'

type Locale = QueryOf<'GET /settings/letters/preview'>['locale']

/** Preview of a letter with sample data, in any language. */
export function LetterPreview({ letters }: { letters: SwitchableLetter[] }) {
  const t = useTexts(SETTINGS_TEXTS)
  const names = useTexts(LETTER_NAMES)
  const mayChange = useMay('letters.write')
  const [letter, setLetter] = useState<SwitchableLetter>('customer.payment_succeeded')
  const [locale, setLocale] = useState<Locale>(useLocale())
  const read = useRead('GET /settings/letters/preview', { query: { letter, locale }, keepPrevious: true })
  const { error, send } = useTest(letter, locale)
  const { id: businessId } = useBusiness()
  const html = `${pathIn(businessId, '/settings/letters/preview/html')}?${new URLSearchParams({ letter, locale })}`
  return (
    <Card
      title={t.preview}
      actions={
        mayChange && (
          <Button variant="default" onClick={() => void send()}>
            {t.sendTest}
          </Button>
        )
      }
    >
      <div className="stack">
        <Refusal error={error ?? read.error} />
        <Choices {...{ letters, letter, setLetter, locale, setLocale }} />
        {read.data && (
          <>
            <Fields items={[[t.subject, read.data.subject]]} />
            <div className="letter-views">
              <section aria-label={`${fill(t.previewOf, { letter: names[letter] })}, ${t.asHtml}`}>
                <h3>{t.asHtml}</h3>
                <iframe className="letter" title={t.asHtml} src={html} sandbox="" referrerPolicy="no-referrer" />
              </section>
              <section aria-label={`${fill(t.previewOf, { letter: names[letter] })}, ${t.asText}`}>
                <h3>{t.asText}</h3>
                <div className="letter-text">{read.data.text}</div>
              </section>
            </div>
          </>
        )}
      </div>
    </Card>
  )
}

interface ChoicesProps {
  letters: SwitchableLetter[]
  letter: SwitchableLetter
  setLetter(letter: SwitchableLetter): void
  locale: Locale
  setLocale(locale: Locale): void
}

function Choices({ letters, letter, setLetter, locale, setLocale }: ChoicesProps) {
  const t = useTexts(SETTINGS_TEXTS)
  const names = useTexts(LETTER_NAMES)
  return (
    <div className="choices">
      <Select
        aria-label={t.preview}
        data={letters.map((value) => ({ value, label: names[value] }))}
        value={letter}
        w={300}
        onChange={(chosen) => chosen && setLetter(chosen)}
      />
      <SegmentedControl
        aria-label={t.language}
        size="sm"
        data={[
          { value: 'en', label: 'English' },
          { value: 'fr-CA', label: 'Français' },
          { value: 'es', label: 'Español' },
        ]}
        value={locale}
        onChange={(chosen) => setLocale(chosen as Locale)}
      />
    </div>
  )
}

function useTest(letter: string, locale: Locale) {
  const t = useTexts(SETTINGS_TEXTS)
  const call = useCall()
  const toast = useToast()
  const [error, setError] = useState<unknown>(null)
  async function send() {
    setError(null)
    try {
      const { recipient } = await call('POST /settings/letters/test', { body: { letter, locale } })
      toast(fill(t.sentTo, { email: recipient }))
    } catch (failed) {
      setError(failed)
    }
  }
  return { error, send }
}
