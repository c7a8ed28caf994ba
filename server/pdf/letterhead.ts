import type { Locale } from '../../contract/payment-page.ts'
import { fill } from '../../contract/text.ts'
import type { Logo } from '../businesses/logo.ts'
import { isPrintable } from './printable-logo.ts'
import { MUTED, openSheet, type Sheet, type SheetOptions } from './sheet.ts'

/** What all documents of a business have in common: the paper, its bar and brand, and the footer of each page. */
export interface Letter {
  sheet: Sheet
  page: Page
  locale: Locale
}

export interface Page {
  left: number
  right: number
  /** Position at which the content of further pages begins. */
  top: number
  /** Position above which content must end. */
  bottom: number
}

export interface Brand {
  name: string
  /** `#rrggbb` */
  brandColor: string | null
  logo: Logo | null
}

interface LetterOptions extends Pick<SheetOptions, 'title' | 'author' | 'createdAt' | 'printed'> {
  locale: Locale
  /** Country of the business, ISO 3166; determines the paper size. */
  country: string
}

const MARGIN = 48
const FOOTER = 40
const BAR = 6
const LOGO = { width: 150, height: 44 }
const LETTER_COUNTRIES = ['US', 'CA']

const TEXTS: Record<Locale, { page: string; logo: string }> = {
  en: { page: 'Page {page} of {pages}', logo: 'Logo of {name}' },
  'fr-CA': { page: 'Page {page} de {pages}', logo: 'Logo de {name}' },
  es: { page: 'Página {page} de {pages}', logo: 'Logotipo de {name}' },
}

export async function openLetter({ locale, country, ...options }: LetterOptions): Promise<Letter> {
  const size = LETTER_COUNTRIES.includes(country) ? 'LETTER' : 'A4'
  const margins = { top: MARGIN, bottom: MARGIN + FOOTER }
  const sheet = await openSheet({ ...options, size, margins, language: locale })
  const { width, height } = sheet
  const page = { left: MARGIN, right: width - MARGIN, top: margins.top, bottom: height - margins.bottom }
  return { sheet, page, locale }
}

/**
 * Draws the brand's bar and the logo, or the name if there is no printable logo.
 *
 * @returns the position at which it ends
 */
export function drawBrand({ sheet, page, locale }: Letter, { name, brandColor, logo }: Brand): number {
  if (brandColor) sheet.bar(brandColor, BAR)
  const alt = fill(TEXTS[locale].logo, { name })
  const place = { right: page.right, y: page.top - 4, ...LOGO }
  if (logo && isPrintable(logo) && sheet.picture(logo.bytes, alt, place)) return place.y + LOGO.height
  const width = 230
  const style = { width, size: 13, weight: 'bold', color: MUTED, align: 'right' } as const
  return sheet.text(sheet.root, 'P', name, { ...style, x: page.right - width, y: page.top + 4 })
}

export type Fact = readonly [label: string, value: string]

/** Width of the labels of facts. */
export const LABEL_WIDTH = 112
const VALUE_WIDTH = 200

/** Draws a line for each fact. @returns the position at which they end */
export function drawFacts(
  { sheet, page }: Pick<Letter, 'sheet' | 'page'>,
  from: number,
  facts: readonly Fact[],
  valueWidth = VALUE_WIDTH,
): number {
  let y = from
  for (const [label, value] of facts) {
    const labelEnd = sheet.text(sheet.root, 'P', label, { x: page.left, y, width: LABEL_WIDTH, weight: 'bold' })
    const valueEnd = sheet.text(sheet.root, 'P', value, { x: page.left + LABEL_WIDTH, y, width: valueWidth })
    y = Math.max(labelEnd, valueEnd) + 2
  }
  return y
}

export interface Party {
  head: string
  /** Lines below the head; empty ones are left out. */
  lines: (string | null)[]
}

/** Draws the parties side by side. @returns the position at which they end */
export function drawParties(
  { sheet, page }: Pick<Letter, 'sheet' | 'page'>,
  y: number,
  parties: readonly [Party, Party],
): number {
  const half = (page.right - page.left) / 2
  const width = half - 16
  const ends = parties.map(({ head, lines }, index) => {
    const x = page.left + index * half
    const end = sheet.text(sheet.root, 'P', head, { x, y, width, weight: 'bold' })
    const text = lines.filter((line) => line !== null && line.trim() !== '').join('\n')
    return text === '' ? end : sheet.text(sheet.root, 'P', text, { x, y: end + 1, width })
  })
  return Math.max(...ends)
}

/** Draws the footers. @param about text on the left of every page; the page number is on the right */
export function drawFooters({ sheet, page, locale }: Letter, about: string): void {
  const y = sheet.height - MARGIN
  const style = { y, size: 8, color: MUTED, isOneLine: true }
  const countWidth = (page.right - page.left) / 4
  sheet.onEachPage((number, pages) => {
    sheet.rule(y - 10, page.left, page.right)
    sheet.text(null, 'P', about, { ...style, x: page.left, width: 3 * countWidth })
    const place = { x: page.right - countWidth, width: countWidth, align: 'right' } as const
    sheet.text(null, 'P', pageNumber(locale, number, pages), { ...style, ...place })
  })
}

/** Returns the page number as shown in the footer. */
export const pageNumber = (locale: Locale, page: number, pages: number): string =>
  fill(TEXTS[locale].page, { page, pages })

/**
 * Returns the format of amounts and times, by language and country of the business, as on the payment page (PAG-27).
 */
export function localeTag(locale: Locale, country: string): string {
  if (locale === 'en') return country === 'CA' ? 'en-CA' : 'en-US'
  return locale === 'es' ? 'es-US' : locale
}

/** Replaces the thin spaces of `Intl` by normal no-break spaces. */
export const plainSpaces = (text: string): string => text.replace(/[\u2007-\u200A\u202F]/g, '\u00A0')
