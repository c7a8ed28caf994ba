import { createContext, use, useContext } from 'react'
import type { Translated } from '../../contract/text.ts'

export { fill, plural } from '../../contract/text.ts'

export const LOCALES = ['en', 'fr-CA', 'es'] as const
export type Locale = (typeof LOCALES)[number]

type Module = Record<string, unknown>

export interface Texts<English> {
  english: English
  load(locale: Locale): Promise<English | Translated<English>>
}

/**
 * The texts of an area. English comes with the page; another language is loaded when it is needed.
 *
 * @param others each module has one export, the catalogue
 */
export function defineTexts<English extends Record<string, unknown>>(
  english: English,
  others: Record<Exclude<Locale, 'en'>, () => Promise<Module>>,
): Texts<English> {
  const loaded = new Map<Locale, Promise<English | Translated<English>>>([['en', Promise.resolve(english)]])
  return {
    english,
    load(locale) {
      const known = loaded.get(locale)
      if (known || locale === 'en') return known ?? Promise.resolve(english)
      const loading = others[locale]().then(
        (module) => Object.values(module)[0] as Translated<English>,
        () => english,
      )
      loaded.set(locale, loading)
      return loading
    },
  }
}

const LocaleContext = createContext<Locale>('en')
export const LocaleProvider = LocaleContext.Provider
export const useLocale = (): Locale => useContext(LocaleContext)

/** The texts in the person's language. Suspends while they are loaded. */
export function useTexts<English>(texts: Texts<English>): Localized<English> {
  const locale = useLocale()
  // English needs no turn of the event loop.
  return (locale === 'en' ? texts.english : use(texts.load(locale))) as Localized<English>
}

/** The keys of a catalogue, with any text. */
export type Localized<English> = { [Key in keyof English]: English[Key] extends string ? string : English[Key] }

/** The language of the browser, as far as we speak it. */
export function browserLocale(languages: readonly string[] = navigator.languages): Locale {
  for (const language of languages) {
    if (language.startsWith('fr')) return 'fr-CA'
    if (language.startsWith('es')) return 'es'
    if (language.startsWith('en')) return 'en'
  }
  return 'en'
}
