import { Button } from '@mantine/core'
import { useCall } from './call.ts'
import { useToast } from './dialog.tsx'
import { en } from './letter-texts/en.ts'
import { useMay } from './me.ts'
import { useInvalidate } from './read.ts'
import { useRefusalText } from './refusal.tsx'
import { useSubmit } from './submit.ts'
import { defineTexts, useTexts } from './texts.ts'

const LETTER_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./letter-texts/fr-CA.ts'),
  es: () => import('./letter-texts/es.ts'),
})

interface ResendLetterProps {
  letter: { id: string; subject: string }
  /** Call that reads the new letter for the page. */
  shownBy: Parameters<ReturnType<typeof useInvalidate>>[0]
  /**
   * Look that matches the surrounding buttons: within a line of text or a row of a table, or among the actions of a
   * page.
   */
  place?: keyof typeof SIZES
}

const SIZES = { line: 'compact-sm', page: 'sm' } as const

/** Resends a letter to the same recipient. Renders nothing for people who may not do so. */
export function ResendLetter({ letter: { id, subject }, shownBy, place = 'line' }: ResendLetterProps) {
  const t = useTexts(LETTER_TEXTS)
  const [call, invalidate, toast, refusalText] = [useCall(), useInvalidate(), useToast(), useRefusalText()]
  const may = useMay('customers.write')
  const { submit, isSending } = useSubmit(async () => {
    try {
      await call('POST /letters/{id}/resend', { params: { id } })
      toast(t.resent)
      await invalidate(shownBy)
    } catch (error) {
      toast(refusalText(error))
    }
  })
  if (!may) return null
  return (
    <Button
      variant="default"
      size={SIZES[place]}
      aria-label={`${t.resend}: ${subject}`}
      disabled={isSending}
      onClick={submit}
    >
      {t.resend}
    </Button>
  )
}
