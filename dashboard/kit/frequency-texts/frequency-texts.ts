import { defineTexts } from '../texts.ts'
import { en } from './en.ts'

/** Texts for how often something is charged. */
export const FREQUENCY_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
