import { defineTexts } from '../kit/texts.ts'
import { en } from './texts/en.ts'

export const FRAME_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./texts/fr-CA.ts'),
  es: () => import('./texts/es.ts'),
})
