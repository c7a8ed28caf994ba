export const LOCALES = ['en', 'fr-CA', 'es'] as const
export type Locale = (typeof LOCALES)[number]

/** The language of the browser, as far as we speak it. */
function browserLocale(languages: readonly string[] = navigator.languages): Locale {
  for (const language of languages) {
    if (language.startsWith('fr')) return 'fr-CA'
    if (language.startsWith('es')) return 'es'
    if (language.startsWith('en')) return 'en'
  }
  return 'en'
}

const isLocale = (text: string | null): text is Locale => LOCALES.some((locale) => locale === text)

/** The language that the person chose, otherwise that of the browser. */
export const localeOf = (chosen: string | null): Locale => (isLocale(chosen) ? chosen : browserLocale())

let shown: Locale | null = null
const listeners = new Set<() => void>()

/** The language of the pages. */
export function shownLocale(): Locale {
  shown ??= browserLocale()
  return shown
}

/** For `showLocale`, which knows whether the texts are there. */
export function setShownLocale(locale: Locale): void {
  if (locale === shownLocale()) return
  shown = locale
  for (const listener of listeners) listener()
}

export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
