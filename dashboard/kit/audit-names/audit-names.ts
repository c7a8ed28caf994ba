import { defineTexts, useTexts } from '../texts.ts'
import { en } from './en.ts'

export const AUDIT_NAMES = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})

/** What the pages call an action of the audit log, or the kind of an object; of one that is not known, its code. */
export function useAuditName(): (code: string) => string {
  const names: Record<string, string> = useTexts(AUDIT_NAMES)
  return (code) => names[code] ?? code
}
