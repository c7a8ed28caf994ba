import { defineTexts } from '../../../kit/texts.ts'
import { en } from './en.ts'

export const TEAM_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
