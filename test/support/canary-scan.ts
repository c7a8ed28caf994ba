import { passesLuhn } from '../../server/lib/luhn.ts'

// Searches the files, logs and tables of the service for card data (VLT-9). Findings are described, never repeated,
// because the report of a failed test is a file too.

export interface Canaries {
  numbers: string[]
  /** Security codes, reported only if labelled as a code, because any three digits occur everywhere. */
  cvvs: string[]
  /** CAVVs, cryptograms and wallet tokens: base64, or any other text. */
  proofs?: string[]
}

/** The encodings in which our text could contain those digits. */
const SPELLINGS: Spellings = {
  plain: (digits) => [digits],
  spaced: (digits) => [grouped(digits, ' '), grouped(digits, '+'), grouped(digits, '%20'), grouped(digits, '\u00a0')],
  dashed: (digits) => [grouped(digits, '-'), grouped(digits, '.')],
  base64: (digits) => [0, 1, 2].map((shift) => base64Core(digits, shift)),
  hex: (digits) => [Buffer.from(digits).toString('hex'), Buffer.from(digits).toString('hex').toUpperCase()],
  'hex of the number': (digits) => [BigInt(digits).toString(16)],
  'URL-encoded': (digits) => [[...digits].map((digit) => `%3${digit}`).join('')],
  'JSON-escaped': (digits) => [[...digits].map((digit) => `\\u003${digit}`).join('')],
  'UTF-16': (digits) => [Buffer.from(digits, 'utf16le').toString('hex'), [...digits].join('\0')],
  reversed: (digits) => [[...digits].reverse().join('')],
}

const grouped = (digits: string, mark: string) => digits.match(/.{1,4}/g)?.join(mark) ?? digits

/** The part of the base64 text that does not depend on the surrounding bytes. */
function base64Core(digits: string, shift: number): string {
  const text = Buffer.from('x'.repeat(shift) + digits).toString('base64')
  return text.slice(shift === 0 ? 0 : 4, -4)
}

const LUHN_RUN = /(?<![0-9a-zA-Z.])\d(?:[ -]?\d){12,18}(?![0-9a-zA-Z])/g
/**
 * Matches UUIDs: their last two groups may consist of digits and pass the Luhn check; among thousands of ids, some do.
 */
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g
const CALLED_A_CODE = (cvv: string) =>
  new RegExp(`(?:cvv|cvc|cvn|csc|security_?code|verification)\\w*[^\\w]{0,6}[:= ][^\\w]{0,6}${cvv}(?!\\d)`, 'i')

/** @returns the findings, such as `line 7: canary 2, spaced` */
export function findCanaries(text: string, { numbers, cvvs, proofs = [] }: Canaries): string[] {
  const lower = text.toLowerCase()
  // Most texts contain none of them, so the lines are only searched for those that the whole text contains.
  const known = [
    ...spelled(numbers, SPELLINGS, 'canary').filter(({ spelling }) => text.includes(spelling)),
    ...spelled(proofs, PROOF_SPELLINGS, 'proof').filter(
      ({ spelling }) => text.includes(spelling) || lower.includes(spelling),
    ),
  ]
  const codes = cvvs.filter((cvv) => text.includes(cvv)).map((cvv, index) => ({ pattern: CALLED_A_CODE(cvv), index }))
  return text.split('\n').flatMap((line, index) => {
    const lowerLine = known.length > 0 ? line.toLowerCase() : ''
    const found = [
      ...new Set(
        known.filter(({ spelling }) => line.includes(spelling) || lowerLine.includes(spelling)).map(({ name }) => name),
      ),
      ...codes.filter(({ pattern }) => pattern.test(line)).map((code) => `code ${code.index}`),
      ...luhnRunsIn(line),
    ]
    return found.map((what) => `line ${index + 1}: ${what}`)
  })
}

type Spellings = Record<string, (text: string) => string[]>

function spelled(texts: string[], spellings: Spellings, kind: string): { name: string; spelling: string }[] {
  return texts.flatMap((text, index) =>
    Object.entries(spellings).flatMap(([how, spell]) =>
      spell(text).map((spelling) => ({ name: `${kind} ${index}, ${how}`, spelling })),
    ),
  )
}

/** The encodings in which our text could contain a proof. */
const PROOF_SPELLINGS: Spellings = {
  plain: (proof) => [proof],
  'base64, for URLs': (proof) => [proof.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')],
  'the bytes in hex': (proof) => [Buffer.from(proof, 'base64').toString('hex')],
  'base64 of base64': (proof) => [0, 1, 2].map((shift) => base64Core(proof, shift)),
  hex: (proof) => [Buffer.from(proof).toString('hex')],
  'URL-encoded': (proof) => [encodeURIComponent(proof)],
}

/**
 * Finds any card number. Current times in milliseconds also have 13 digits, and one in ten passes the Luhn check, but
 * all begin with 1.
 */
function luhnRunsIn(line: string): string[] {
  const runs =
    line
      .replace(UUID, '')
      .match(LUHN_RUN)
      ?.map((run) => run.replace(/[ -]/g, '')) ?? []
  return runs.filter((run) => passesLuhn(run) && !isTime(run)).map((run) => `a card number of ${run.length} digits`)
}

const isTime = (run: string) => run.length === 13 && Math.abs(Number(run) - Date.now()) < 400 * 86_400_000
