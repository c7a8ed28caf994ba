import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Locale } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import type { Logo } from '../../businesses/logo.ts'
import {
  drawBrand,
  drawFacts,
  drawFooters,
  drawParties,
  type Fact,
  LABEL_WIDTH,
  type Letter,
  localeTag,
  openLetter,
  plainSpaces,
} from '../../pdf/letterhead.ts'
import { MUTED } from '../../pdf/sheet.ts'
import type { Line } from '../../pdf/typeset.ts'
import type { Contract } from '../../subscriptions/contract.ts'
import { PARAGRAPH_BREAK } from '../../subscriptions/contracts/check-contract-text.ts'
import { CONTRACT_PDF_TEXTS, type ContractPdfTexts } from './contract-pdf-texts.ts'

/** A contract with everything that is printed of it, in printable texts. */
export interface PrintedContract {
  contract: Pick<Contract, 'id' | 'status' | 'title' | 'text' | 'signature' | 'createdAt'>
  sentAt: Date | null
  voidedAt: Date | null
  business: Pick<Business, 'name' | 'country' | 'timeZone' | 'supportEmail' | 'supportPhone' | 'brandColor'>
  /** Postal address with line breaks; `null` if the business has none. */
  postalAddress: string | null
  logo: Logo | null
  customer: { name: string | null; email: string | null }
}

interface Drawing extends Letter {
  printed: PrintedContract
  texts: ContractPdfTexts
  /** Writes an instant in the time zone of the business, to the second, with the zone. */
  time(instant: Date): string
}

const TITLE = { size: 20, width: 260 }
const TEXT_SIZE = 10
const PARAGRAPH_GAP = 7
/** How many characters are drawn at once, unless one line has more. */
const PART = 2_000
/** How many lines are drawn at once if letters have to be shaped. */
const PORTION = 4
/** Time after which drawing yields to other work, in milliseconds. */
const TURN_MS = 10

/**
 * Renders the contract as a PDF, with its signature if it has one. The same contract in the same language gives the
 * same bytes.
 *
 * @see DSH-38
 */
export async function renderContract(printed: PrintedContract, locale: Locale): Promise<Buffer> {
  const { contract, business } = printed
  const texts = CONTRACT_PDF_TEXTS[locale]
  const letter = await openLetter({
    ...{ locale, country: business.country, title: `${texts.contract} ${contract.id} – ${contract.title}` },
    ...{ author: business.name, createdAt: contract.signature?.at ?? contract.createdAt },
    printed: textsOf(printed),
  })
  const drawing = { ...letter, printed, texts, time: timeWriter(business, locale) }
  const textEnd = await drawText(drawing, drawHead(drawing) + 20)
  drawSignature(drawing, textEnd + 18)
  drawFooters(letter, `${texts.contract} ${contract.id} · ${business.name}`)
  return letter.sheet.bytes()
}

/** Texts that people wrote, in any script. */
export const textsOf = ({ contract, business, postalAddress, customer }: PrintedContract): (string | null)[] => [
  ...[contract.title, contract.text, contract.signature?.name ?? null, business.name, postalAddress],
  ...[business.supportEmail, business.supportPhone, customer.name, customer.email],
]

function timeWriter({ country, timeZone }: PrintedContract['business'], locale: Locale): Drawing['time'] {
  const format = new Intl.DateTimeFormat(localeTag(locale, country), { dateStyle: 'long', timeStyle: 'long', timeZone })
  return (instant) => `${plainSpaces(format.format(instant))} (${timeZone})`
}

/** @returns the position where the head ends */
function drawHead(drawing: Drawing): number {
  const { sheet, page, printed, texts, time } = drawing
  const { contract, business, sentAt, voidedAt, postalAddress, customer } = printed
  const { name, supportEmail, supportPhone } = business
  const titleStyle = { ...TITLE, x: page.left, y: page.top, weight: 'bold' } as const
  const titleEnd = sheet.text(sheet.root, 'H1', contract.title, titleStyle)
  const brandEnd = drawBrand(drawing, { ...business, logo: printed.logo })
  const facts: (Fact | null)[] = [
    [texts.number, contract.id],
    [texts.status, texts.statuses[contract.status]],
    [texts.created, time(contract.createdAt)],
    sentAt && [texts.sent, time(sentAt)],
    voidedAt && [texts.voided, time(voidedAt)],
  ]
  const shown = facts.filter((fact) => fact !== null)
  const factsEnd = drawFacts(drawing, Math.max(titleEnd, brandEnd) + 10, shown, page.right - page.left - LABEL_WIDTH)
  const partiesEnd = drawParties(drawing, factsEnd + 16, [
    { head: name, lines: [postalAddress, supportEmail, supportPhone] },
    { head: texts.customer, lines: [customer.name, customer.email] },
  ])
  sheet.rule(partiesEnd + 12, page.left, page.right)
  return partiesEnd + 12
}

/**
 * Draws the text over as many pages as it needs.
 *
 * @returns the position where it ends, on the last page
 */
async function drawText({ sheet, page, printed }: Drawing, from: number): Promise<number> {
  const place = { x: page.left, width: page.right - page.left, size: TEXT_SIZE, align: 'start' } as const
  let [y, turnAt] = [from, performance.now()]
  for (const paragraph of printed.contract.text.split(PARAGRAPH_BREAK)) {
    const lines = sheet.lines(paragraph, place)
    for (const part of lines ? portionsOf(lines) : partsOf(paragraph)) {
      y = sheet.text(sheet.root, 'P', part, { ...place, y })
      if (performance.now() - turnAt < TURN_MS) continue
      await nextTurn()
      turnAt = performance.now()
    }
    y += PARAGRAPH_GAP
  }
  return y
}

/** Groups a few lines each, since shaping one takes time. */
function* portionsOf(lines: Iterable<Line>): Generator<Line[]> {
  let portion: Line[] = []
  for (const line of lines) {
    portion.push(line)
    if (portion.length < PORTION) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}

/** Splits a paragraph into parts of whole lines. */
function partsOf(paragraph: string): string[] {
  const parts: string[] = []
  for (const line of paragraph.replace(ENDLESS, inPieces).split('\n')) {
    const last = parts.at(-1)
    if (last !== undefined && last.length + line.length < PART) parts[parts.length - 1] = `${last}\n${line}`
    else parts.push(line)
  }
  return parts
}

/** Finds an endless word. To break it, pdfkit needs memory that grows with the square of its length. */
const ENDLESS = /[^ \n]{500,}/g
const inPieces = (word: string) => word.replace(/.{80}(?=.)/gu, '$&\n')

/** Draws the signature, all on one page. */
function drawSignature(drawing: Drawing, from: number): void {
  const { sheet, page, printed, texts, time } = drawing
  const { signature } = printed.contract
  const width = page.right - page.left
  const facts: Fact[] = signature
    ? [
        [texts.signer, signature.name],
        [texts.signedAt, time(signature.at)],
        [texts.signedFrom, signature.ip],
      ]
    : []
  const mark = signature?.teamSeenThere ? `${texts.teamSeenThere}\n` : ''
  const note = signature ? `${mark}${texts.signedNote}` : texts.unsigned
  const valueWidth = width - LABEL_WIDTH
  const factsHeight = facts.reduce((sum, [, value]) => sum + sheet.heightOf(value, { width: valueWidth }) + 2, 0)
  const height = 12 + 20 + factsHeight + 6 + sheet.heightOf(note, { width, size: 8 })
  let y = from
  if (y + height > page.bottom) {
    sheet.addPage()
    y = page.top
  }
  sheet.rule(y, page.left, page.right)
  const headEnd = sheet.text(sheet.root, 'H2', texts.signature, {
    ...{ x: page.left, y: y + 12, width },
    ...{ size: 13, weight: 'bold' },
  })
  const factsEnd = drawFacts(drawing, headEnd + 4, facts, valueWidth)
  const style = { size: 8, color: MUTED }
  sheet.text(sheet.root, 'P', note, { x: page.left, y: factsEnd + 4, width, ...(signature && style) })
}
