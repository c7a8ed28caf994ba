import { defineTexts } from '../texts.ts'
import { en } from './en.ts'

/** The statuses of payments, and what their lists have in common. */
export const PAYMENT_ROW_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
