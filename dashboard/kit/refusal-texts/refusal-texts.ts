import { defineTexts } from '../texts.ts'

/** Texts of refusals by code. English uses the message of the service itself, which is more detailed. */
type RefusalTexts = Record<string, string>

export const REFUSAL_TEXTS = defineTexts<RefusalTexts>(
  {},
  { 'fr-CA': () => import('./fr-CA.ts'), es: () => import('./es.ts') },
)
