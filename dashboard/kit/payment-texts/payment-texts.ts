import { defineTexts } from '../texts.ts'
import { en } from './en.ts'

/** Texts for statuses of payments, and other texts that their lists share. */
export const PAYMENT_ROW_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
