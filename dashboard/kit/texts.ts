import { createContext, use, useContext } from 'react'
import type { Translated } from '../../contract/text.ts'
import { type Locale, setShownLocale, shownLocale } from './locale.ts'

export { fill, plural } from '../../contract/text.ts'
export type { Locale } from './locale.ts'

// Once a page is shown, it never waits for texts: a component that suspends would remove an open dialog. So a part that
// is loaded later comes with its texts (`withTexts`), and a new language is shown once all its texts are loaded
// (`showLocale`).

type Module = Record<string, unknown>

export interface Texts<English> {
  english: English
  /** Returns `null` until the texts are loaded. */
  loadedIn(locale: Locale): English | Translated<English> | null
  /** Loads the texts; returns the English ones if loading fails. */
  load(locale: Locale): Promise<English | Translated<English>>
}

/** Catalogues of all parts of the program that are loaded. */
const catalogues = new Set<Pick<Texts<unknown>, 'loadedIn' | 'load'>>()

/**
 * Defines the texts of an area. English comes with the page; other languages are loaded separately.
 *
 * @param others modules with one export each, the catalogue
 */
export function defineTexts<English extends Record<string, unknown>>(
  english: English,
  others: Record<Exclude<Locale, 'en'>, () => Promise<Module>>,
): Texts<English> {
  const loaded = new Map<Locale, English | Translated<English>>([['en', english]])
  const loading = new Map<Locale, Promise<English | Translated<English>>>()
  async function read(locale: Locale) {
    const module = locale === 'en' ? { english } : await others[locale]().catch(() => ({ english }))
    const texts = Object.values(module)[0] as English | Translated<English>
    loaded.set(locale, texts)
    return texts
  }
  const texts: Texts<English> = {
    english,
    loadedIn: (locale) => loaded.get(locale) ?? null,
    load(locale) {
      const begun = loading.get(locale) ?? read(locale)
      loading.set(locale, begun)
      return begun
    },
  }
  catalogues.add(texts)
  void texts.load(shownLocale())
  return texts
}

async function loadAll(locale: Locale): Promise<void> {
  const missing = () => [...catalogues].filter((texts) => texts.loadedIn(locale) === null)
  // Parts that are loaded meanwhile add further catalogues.
  for (let some = missing(); some.length > 0; some = missing()) await Promise.all(some.map((one) => one.load(locale)))
}

let wanted: Locale | null = null

/** Shows the pages in a language, once the texts of everything that is loaded are there. */
export async function showLocale(locale: Locale): Promise<void> {
  wanted = locale
  if (locale === shownLocale()) return
  await loadAll(locale)
  if (wanted === locale) setShownLocale(locale)
}

/** Waits for a part of the program, and for the texts that it uses. */
export async function withTexts<Part>(loading: Promise<Part>): Promise<Part> {
  const part = await loading
  let locale: Locale
  do {
    locale = shownLocale()
    await loadAll(locale)
  } while (locale !== shownLocale())
  return part
}

const LocaleContext = createContext<Locale>('en')
export const LocaleProvider = LocaleContext.Provider
export const useLocale = (): Locale => useContext(LocaleContext)

/** Returns the texts in the person's language. Suspends only before the first page of a visit. */
export function useTexts<English>(texts: Texts<English>): Localized<English> {
  const locale = useLocale()
  return (texts.loadedIn(locale) ?? use(texts.load(locale))) as Localized<English>
}

/** The keys of a catalogue, with arbitrary text. */
export type Localized<English> = { [Key in keyof English]: English[Key] extends string ? string : English[Key] }
