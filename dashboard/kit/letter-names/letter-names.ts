import { defineTexts } from '../texts.ts'
import { en } from './en.ts'

/** What the pages name letters by. */
export const LETTER_NAMES = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
