export const LOCALES = ['en', 'fr-CA', 'es'] as const
export type Locale = (typeof LOCALES)[number]

/** Returns the browser's language if it is supported. */
function browserLocale(languages: readonly string[] = navigator.languages): Locale {
  for (const language of languages) {
    if (language.startsWith('fr')) return 'fr-CA'
    if (language.startsWith('es')) return 'es'
    if (language.startsWith('en')) return 'en'
  }
  return 'en'
}

const isLocale = (text: string | null): text is Locale => LOCALES.some((locale) => locale === text)

/** Returns the language that the person chose, otherwise the browser's. */
export const localeOf = (chosen: string | null): Locale => (isLocale(chosen) ? chosen : browserLocale())

let shown: Locale | null = null
const listeners = new Set<() => void>()

/** Returns the language of the pages. */
export function shownLocale(): Locale {
  shown ??= browserLocale()
  return shown
}

/** Only for `showLocale`, which knows whether the texts are loaded. */
export function setShownLocale(locale: Locale): void {
  if (locale === shownLocale()) return
  shown = locale
  for (const listener of listeners) listener()
}

export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
