import { Button, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import type { QueryOf } from '../../../contract/dashboard/dashboard-api.ts'
import { useCall } from '../../kit/call.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { letterText } from './letter-text.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'

type Locale = QueryOf<'GET /settings/letters/preview'>['locale']

/** A letter with facts that are made up, in any language. */
export function LetterPreview({ letters }: { letters: string[] }) {
  const t = useTexts(SETTINGS_TEXTS)
  const mayChange = useMay('letters.write')
  const [letter, setLetter] = useState('customer.payment_succeeded')
  const [locale, setLocale] = useState<Locale>(useLocale())
  const read = useRead('GET /settings/letters/preview', { query: { letter, locale }, keepPrevious: true })
  const { error, send } = useTest(letter, locale)
  const name = t[letterText(letter)] ?? letter
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
            <section className="letter-text" aria-label={fill(t.previewOf, { letter: name })}>
              {read.data.text}
            </section>
          </>
        )}
      </div>
    </Card>
  )
}

interface ChoicesProps {
  letters: string[]
  letter: string
  setLetter(letter: string): void
  locale: Locale
  setLocale(locale: Locale): void
}

function Choices({ letters, letter, setLetter, locale, setLocale }: ChoicesProps) {
  const t = useTexts(SETTINGS_TEXTS)
  return (
    <div className="choices">
      <Select
        aria-label={t.preview}
        data={letters.map((value) => ({ value, label: t[letterText(value)] ?? value }))}
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
