import { amountText, numberText, parseAmount } from '../../kit/money.tsx'

// Settings as text in fields, and as members of the request.

export type FieldKind = 'text' | 'lines' | 'list' | 'number' | 'amount' | 'select' | 'toggle'

export interface Field {
  name: string
  kind: FieldKind
  label: string
  hint?: string
  /** Options of a `select`; the empty value means `null`. */
  options?: { value: string; label: string }[]
  isRequired?: boolean
  /** Type of a `text`: decides which keyboard a phone shows. */
  type?: 'email' | 'tel' | 'url' | 'time'
}

export type Draft = Record<string, string>
export type Members = Record<string, unknown>

export function textOf({ kind }: Field, value: unknown, locale: string): string {
  if (value === null || value === undefined) return ''
  if (kind === 'list') return (value as string[]).join('\n')
  if (kind === 'amount') return amountText(value as number, locale)
  if (kind === 'number') return numberText(value as number, locale)
  return String(value)
}

/** Returns the member to send; `undefined` if the text should be a number but is not. */
export function sentOf({ kind, isRequired }: Field, text: string, locale: string): unknown {
  const trimmed = text.trim()
  if (kind === 'toggle') return trimmed === 'true'
  if (kind === 'list')
    return trimmed === ''
      ? []
      : trimmed
          .split(/[\n,]/)
          .map((line) => line.trim())
          .filter(Boolean)
  if (trimmed === '') return isRequired ? '' : null
  if (kind === 'amount') return parseAmount(trimmed, locale) ?? undefined
  if (kind !== 'number') return trimmed
  const number = Number(trimmed.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}

export const draftOf = (fields: readonly Field[], members: Members, locale: string): Draft =>
  Object.fromEntries(fields.map((field) => [field.name, textOf(field, members[field.name], locale)]))

/** Returns the fields whose text differs from the members. */
export const changedFields = (fields: readonly Field[], draft: Draft, members: Members, locale: string): Field[] =>
  fields.filter((field) => draft[field.name] !== textOf(field, members[field.name], locale))
