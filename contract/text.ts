/** A text that depends on a count; `#` is the count. Languages with more forms than these two fall back to `other`. */
export interface PluralText {
  one: string
  other: string
}

/** A catalogue in another language: exactly the keys of the English one. */
export type Translated<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : PluralText }

/** Replaces `{name}` placeholders with values; a placeholder without a value stays as it is. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

export function plural(text: PluralText, count: number, locale: string): string {
  const form = new Intl.PluralRules(locale).select(count) === 'one' ? text.one : text.other
  return form.replaceAll('#', String(count))
}
