import { TextInput, type TextInputProps } from '@mantine/core'
import { useCallback, useState } from 'react'
import { formatLocale } from '../../contract/money-text.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useMaybeBusiness } from './me.ts'
import { fill, useLocale, useTexts } from './texts.ts'

const formatters = new Map<string, Intl.NumberFormat>()

function formatter(locale: string, currency: string): Intl.NumberFormat {
  const key = `${locale} ${currency}`
  const known = formatters.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
  formatters.set(key, known)
  return known
}

/** Returns the locale for numbers and dates. */
export function useFormatLocale(): string {
  const locale = useLocale()
  const business = useMaybeBusiness()
  return formatLocale(locale, business?.country === 'CA' ? 'CA' : 'US')
}

/** `money(4000, 'CAD')` is `$40.00` or `40,00 $`. The currency defaults to the currency of the business. */
export function useMoney(): (cents: number, currency?: string) => string {
  const locale = useFormatLocale()
  const own = useMaybeBusiness()?.currency ?? 'USD'
  return useCallback((cents, currency = own) => formatter(locale, currency).format(cents / 100), [locale, own])
}

const AMOUNT_DIGITS_MAX = 9

function decimalSign(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** Returns a number as a person types it, with all its decimals: `14.975`. */
export const numberText = (value: number, locale: string): string => String(value).replace('.', decimalSign(locale))

/**
 * Reads an amount that a person typed, in cents. Accepts the decimal sign of the language, and the other sign if it
 * cannot be a group separator.
 *
 * @returns `null` for text that is not an amount with at most two decimals
 */
export function parseAmount(text: string, locale: string): number | null {
  const decimal = decimalSign(locale)
  const compact = text.replace(/[\s\u00a0\u202f'’$€]/g, '').replace(/^(?:CA|US)|(?:CAD|USD)$/gi, '')
  const other = decimal === '.' ? ',' : '.'
  const groups = new RegExp(`^\\d{1,3}(?:\\${other}\\d{3})+(?=\\${decimal}|$)`)
  const plain = groups.test(compact) ? compact.replaceAll(other, '') : compact.replace(other, decimal)
  const [, whole = '', cents = ''] = new RegExp(`^(\\d+)(?:\\${decimal}(\\d{0,2}))?$`).exec(plain) ?? []
  if (whole === '' || whole.length > AMOUNT_DIGITS_MAX) return null
  return Number(whole) * 100 + Number(cents.padEnd(2, '0'))
}

/** Returns an amount as a person types it: `40.00`. */
export function amountText(cents: number, locale: string): string {
  const options = { minimumFractionDigits: 2, maximumFractionDigits: 2, useGrouping: false }
  return new Intl.NumberFormat(locale, options).format(cents / 100)
}

interface AmountFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'defaultValue'> {
  /** Amount in cents; `null` if the field is empty or its text is not an amount. */
  value: number | null
  onChange(cents: number | null): void
  currency?: string
}

/** Example for the error message, in cents. */
const EXAMPLE = 1250

/**
 * Field for an amount, typed in the person's language and held in cents. It shows an error for text that it cannot
 * read.
 */
export function AmountField({ value, onChange, currency, ...rest }: AmountFieldProps) {
  const locale = useFormatLocale()
  const own = useMaybeBusiness()?.currency ?? 'USD'
  const [text, setText] = useState(value === null ? '' : amountText(value, locale))
  const [last, setLast] = useState(value)
  const t = useTexts(KIT_TEXTS)
  const isUnreadable = text.trim() !== '' && parseAmount(text, locale) === null
  // The value was changed from outside.
  if (value !== last) {
    setLast(value)
    if (value !== parseAmount(text, locale)) setText(value === null ? '' : amountText(value, locale))
  }
  const change = (typed: string) => {
    setText(typed)
    const cents = parseAmount(typed, locale)
    setLast(cents)
    onChange(cents)
  }
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      error={rest.error || (isUnreadable && fill(t.invalidAmount, { example: amountText(EXAMPLE, locale) }))}
      value={text}
      rightSection={<span className="unit">{(currency ?? own).toUpperCase()}</span>}
      rightSectionWidth={52}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={(event) => {
        if (value !== null) setText(amountText(value, locale))
        rest.onBlur?.(event)
      }}
    />
  )
}
