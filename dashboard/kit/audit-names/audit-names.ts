import { defineTexts, useTexts } from '../texts.ts'
import { en } from './en.ts'

export const AUDIT_NAMES = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})

/**
 * Returns a function for the name of an action in the audit log or of a kind of object; unknown codes are returned as
 * they are.
 */
export function useAuditName(): (code: string) => string {
  const names: Record<string, string> = useTexts(AUDIT_NAMES)
  return (code) => names[code] ?? code
}
