import type { Locale } from './locale.ts'

/** Each in itself. */
export const LANGUAGE_NAMES: Record<Locale, string> = { en: 'English', 'fr-CA': 'Français (Canada)', es: 'Español' }
