import type { Locale } from '../../../../contract/payment-page.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { frCA } from './fr-CA.ts'
import type { LetterTexts } from './letter-texts.ts'

export const LETTER_TEXTS: Record<Locale, LetterTexts> = { en, 'fr-CA': frCA, es }
