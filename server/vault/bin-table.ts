import { readFileSync } from 'node:fs'

/** The funding of a card. Only a card known to be a credit card may be surcharged. */
export type Funding = 'credit' | 'debit' | 'prepaid' | 'unknown'

export interface BinTable {
  /**
   * @param digits first six or more digits of a card number
   * @returns `unknown` if no range has the digits, or if they are too few to select one range
   */
  fundingOf(digits: string): Funding
}

/** Range of eight-digit prefixes from one line of the table, padded if necessary. */
interface Range {
  from: number
  to: number
  funding: Funding
  line: number
}

const TEST_BINS = new URL('./test-bins.csv', import.meta.url)
const HEADER = 'bin_from,bin_to,funding,country'
const FUNDINGS: readonly string[] = ['credit', 'debit', 'prepaid'] satisfies Funding[]
const BIN = /^\d{6,8}$/
const BIN_DIGITS_MAX = 8
/** Maximum number of listed faults: columns in the wrong order make every line invalid. */
const FAULTS_SHOWN_MAX = 20

/** The operator's table is invalid. The message lists the invalid lines, up to 20. */
export class BinTableError extends Error {
  override readonly name = 'BinTableError'

  constructor(faults: string[]) {
    const more = faults.length > FAULTS_SHOWN_MAX ? [`and ${faults.length - FAULTS_SHOWN_MAX} more`] : []
    const lines = [...faults.slice(0, FAULTS_SHOWN_MAX), ...more].map((text) => `  ${text}`).join('\n')
    super(`RIALTO_BIN_TABLE is invalid:\n${lines}\nSee docs/operating/bin-table.md`)
  }
}

/**
 * Reads the table that distinguishes credit cards from debit and prepaid ones. Called once at start-up.
 *
 * @param path the operator's file; `null` means the test cards in staging, and an empty table in production
 * @throws BinTableError
 */
export function readBinTable(path: string | null, environment: 'staging' | 'production'): BinTable {
  if (path === null) return parseBinTable(environment === 'staging' ? readFileSync(TEST_BINS, 'utf8') : HEADER)
  try {
    return parseBinTable(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof BinTableError) throw error
    throw new BinTableError([(error as Error).message])
  }
}

/**
 * Parses `bin_from,bin_to,funding,country`. Empty lines and lines that begin with `#` are skipped.
 *
 * @throws BinTableError
 */
export function parseBinTable(csv: string): BinTable {
  const lines = csv
    .split(/\r?\n/)
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
  const [header, ...rows] = lines
  if (header?.text !== HEADER) throw new BinTableError([`line ${header?.line ?? 1}: must be ${HEADER}`])
  const read = rows.map(readRow)
  const ranges = read.filter((row) => typeof row !== 'string').sort((a, b) => a.from - b.from)
  const faults = [...read.filter((row) => typeof row === 'string'), ...overlaps(ranges)]
  if (faults.length > 0) throw new BinTableError(faults)
  return { fundingOf: (digits) => search(ranges, digits) }
}

/** @returns the range, or the error message of an invalid line */
function readRow({ text, line }: { text: string; line: number }): Range | string {
  const [first = '', last = '', funding = '', country = '', ...more] = text.split(',').map((part) => part.trim())
  if (!BIN.test(first) || !BIN.test(last)) return `line ${line}: bin_from and bin_to must have 6 to 8 digits`
  if (!FUNDINGS.includes(funding)) return `line ${line}: funding must be one of ${FUNDINGS.join(', ')}`
  if (!/^(?:[A-Z]{2})?$/.test(country)) return `line ${line}: country must be two capital letters, or empty`
  if (more.length > 0) return `line ${line}: must have at most four columns`
  const range = { from: lowest(first), to: highest(last), funding: funding as Funding, line }
  return range.from > range.to ? `line ${line}: bin_from must not be above bin_to` : range
}

function overlaps(sorted: Range[]): string[] {
  return sorted.flatMap((range, index) => {
    const former = sorted[index - 1]
    return former && former.to >= range.from ? [`line ${range.line}: overlaps line ${former.line}`] : []
  })
}

/**
 * Returns the funding by a binary search for the last range that begins at or before the digits. The range must contain
 * every number that can begin with the digits.
 */
function search(sorted: Range[], digits: string): Funding {
  const bin = digits.slice(0, BIN_DIGITS_MAX)
  if (!BIN.test(bin)) return 'unknown'
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.from ?? 0) <= lowest(bin)) low = middle + 1
    else high = middle
  }
  const range = sorted[low - 1]
  return range && highest(bin) <= range.to ? range.funding : 'unknown'
}

const lowest = (bin: string) => Number(bin.padEnd(BIN_DIGITS_MAX, '0'))
const highest = (bin: string) => Number(bin.padEnd(BIN_DIGITS_MAX, '9'))
