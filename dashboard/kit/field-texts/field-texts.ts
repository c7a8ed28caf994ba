import type { Locale } from '../texts.ts'

// The service describes errors of fields in English. The pages translate them to the person's language; an unknown text
// stays as it is.

type Catalogue = Record<string, string>

const LOADERS: Record<Exclude<Locale, 'en'>, () => Promise<Catalogue>> = {
  'fr-CA': () => import('./fr-CA.ts').then(({ frCA }) => frCA),
  es: () => import('./es.ts').then(({ es }) => es),
}

/** @returns the texts by field, in the language of the page */
export async function inPageLanguage(errors: Record<string, string>): Promise<Record<string, string>> {
  const load = LOADERS[document.documentElement.lang as keyof typeof LOADERS]
  if (!load || Object.keys(errors).length === 0) return errors
  const catalogue = await load().catch(() => ({}))
  return Object.fromEntries(Object.entries(errors).map(([field, text]) => [field, translated(catalogue, field, text)]))
}

/** @param text one or more texts; the first one may begin with the name of its field */
export function translated(catalogue: Catalogue, field: string, text: string): string {
  const texts = text.startsWith(`${field} `) ? text.slice(field.length + 1) : text
  const whole = translatedOne(catalogue, texts)
  return (
    whole ??
    texts
      .split('; ')
      .map((one) => translatedOne(catalogue, one) ?? one)
      .join('; ')
  )
}

function translatedOne(catalogue: Catalogue, text: string): string | null {
  const known = catalogue[text]
  if (known !== undefined) return known
  for (const [pattern, translation] of Object.entries(catalogue)) {
    const values = pattern.includes('{0}') ? valuesIn(pattern, text) : null
    if (values) return translation.replace(/\{(\d)\}/g, (_whole, place: string) => values[Number(place)] ?? '')
  }
  return null
}

/** Returns the variable parts of a text; `null` if the text does not match the pattern. */
function valuesIn(pattern: string, text: string): string[] | null {
  const source = pattern.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('(.+)')}$`, 's').exec(text)?.slice(1) ?? null
}
