import { defineTexts } from '../texts.ts'

/** By code. English is the message of the service itself, which says more. */
type RefusalTexts = Record<string, string>

export const REFUSAL_TEXTS = defineTexts<RefusalTexts>(
  {},
  { 'fr-CA': () => import('./fr-CA.ts'), es: () => import('./es.ts') },
)
