import type { Locale } from './locale.ts'

/** Name of each language in that language. */
export const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', 'fr-CA': 'Français (Canada)', es: 'Español' }
