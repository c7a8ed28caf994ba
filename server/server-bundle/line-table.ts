import type { LineTable } from './source-lines.ts'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUE = new Map([...DIGITS].map((digit, value) => [digit, value]))
const [MORE, BITS] = [32, 5]

/**
 * @param mappings mappings of a source map, version 3: for each line its segments, each with numbers relative to those
 * of the previous segment
 */
export function lineTable(sources: readonly string[], mappings: string): LineTable {
  let [source, line] = [0, 1]
  const rows = mappings.split(';').map((row) => {
    let column = 0
    let last = ''
    const parts: string[] = []
    for (const segment of row === '' ? [] : row.split(',')) {
      const [columns = 0, fromSource = 0, fromLine = 0] = numbersOf(segment)
      column += columns
      source += fromSource
      line += fromLine
      const place = `${source} ${line}`
      if (place !== last) parts.push(`${column} ${place}`)
      last = place
    }
    return parts.join(',')
  })
  return [JSON.stringify(sources), ...rows].join('\n')
}

/** Decodes Base64 VLQ: five bits in each digit, the lowest first; the lowest bit of a number is its sign. */
function numbersOf(segment: string): number[] {
  const numbers: number[] = []
  let [number, shift] = [0, 0]
  for (const digit of segment) {
    const value = VALUE.get(digit) ?? 0
    number += (value & ~MORE) << shift
    shift += BITS
    if (value & MORE) continue
    numbers.push(number & 1 ? -(number >> 1) : number >> 1)
    number = 0
    shift = 0
  }
  return numbers
}
