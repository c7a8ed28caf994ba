import type { LetterAudience } from '../../contract/letters.ts'
import { LOCALES, type Locale } from '../../contract/payment-page.ts'
import type { LetterContent, RenderedLetter } from '../../server/emails/templates/letter-view.ts'
import { letterWords } from '../../server/emails/templates/letter-words.ts'
import { renderLetter } from '../../server/emails/templates/render-letter.ts'
import {
  sampleLetters,
  samplePersonLetters,
  type WrittenByOthers,
} from '../../server/emails/templates/sample-letters.ts'

const ORDINARY: WrittenByOthers = {
  business: 'Studio Café Montréal',
  customer: 'Zoé Lefèvre-Nuñez',
  email: 'zoe@example.com',
  description: 'Atelier, accès illimité, Casier\u00a0×\u00a02',
  message: 'Insufficient funds',
  supportPhone: '+1 514 555 0188',
}

export interface LetterSample extends RenderedLetter {
  name: string
  locale: Locale
  content: LetterContent
}

/** Returns every letter in every language. */
export async function letterSamples(
  given: Partial<WrittenByOthers> = {},
  { brandColor = '#0f766e', logoUrl = null }: { brandColor?: string | null; logoUrl?: string | null } = {},
): Promise<LetterSample[]> {
  const written = { ...ORDINARY, ...given }
  const business = { name: written.business, country: 'CA' as const, timeZone: 'America/Toronto' }
  const { supportPhone } = written
  const samples: LetterSample[] = []
  for (const locale of LOCALES) {
    const words = letterWords(locale, business)
    const writers = { ...sampleLetters(written), ...samplePersonLetters(written) }
    for (const [name, write] of Object.entries(writers)) {
      const audience = name.split('.')[0] as LetterAudience
      const frame = { audience, logoUrl, brandColor, supportEmail: 'aide@studio.example', supportPhone }
      const content = write(words)
      samples.push({ name, locale, content, ...(await renderLetter(words, content, frame)) })
    }
  }
  return samples
}
