import { TEST_CARD_TEXTS } from '../../../../contract/dashboard/test-card-texts.ts'
import { defineTexts } from '../../../kit/texts.ts'

export const CARD_TEXTS = defineTexts(TEST_CARD_TEXTS, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})
