import { defineTexts } from '../../../kit/texts.ts'
import { en } from './en.ts'

export const PAYMENT_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
