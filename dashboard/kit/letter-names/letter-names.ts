import { defineTexts } from '../texts.ts'
import { en } from './en.ts'

/** Names of letters on the pages. */
export const LETTER_NAMES = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
