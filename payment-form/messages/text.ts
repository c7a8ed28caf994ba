import type { en } from './en.ts'

/** A text that depends on a count; `#` is the count. Languages with more forms than these two fall back to `other`. */
export interface PluralText {
  one: string
  other: string
}

type Translated<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : PluralText }

/** The English catalogue is the shape: a language that misses a key, or has one too many, does not compile. */
export interface Messages {
  page: Translated<typeof en.page>
  script: Translated<typeof en.script>
}

export type ScriptText = Messages['script']

/** The keys of the script texts that are one sentence, without plural forms. */
export type SentenceKey = {
  [Key in keyof ScriptText]: ScriptText[Key] extends string ? Key : never
}[keyof ScriptText]

/** Puts values into `{name}` places; a place without a value stays as it is. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

export function plural(text: PluralText, count: number, locale: string): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? text.one : text.other
  return form.replaceAll('#', String(count))
}
