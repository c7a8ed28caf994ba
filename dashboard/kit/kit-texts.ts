import { en } from './texts/en.ts'
import { defineTexts } from './texts.ts'

export const KIT_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./texts/fr-CA.ts'),
  es: () => import('./texts/es.ts'),
})
