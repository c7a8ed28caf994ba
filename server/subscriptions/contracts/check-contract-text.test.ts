import { doesNotThrow, equal, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { checkContractText, PARAGRAPH_BREAK } from './check-contract-text.ts'

const CPU_MS_MAX = 50

describe('The text of a contract (DSH-123)', () => {
  for (const text of ['a'.repeat(100_000), `${'a\n'.repeat(1_999)}a`, `${'a\n \n'.repeat(999)}a`])
    test(`may be ${JSON.stringify(text.slice(0, 5))}… of ${text.length} characters`, () =>
      doesNotThrow(() => checkContractText(text)))

  for (const [text, why] of [
    ['a'.repeat(100_001), /^text must have at most 100000 characters .*; it has 100001$/],
    ['a\n'.repeat(2_000), /^text must have at most 2000 lines; it has 2001$/],
    [`${'a\n\n'.repeat(1_000)}a`, /^text must have at most 2000 lines; it has 2001$/],
    [`${'\n\n'.repeat(100_000)}`, /characters/],
  ] as const)
    test(`may not be ${JSON.stringify(text.slice(0, 5))}… of ${text.length} characters`, () =>
      void throws(() => checkContractText(text), { message: why }))

  test('has paragraphs between empty lines, and indented lines in them', () => {
    equal('a\nb\n\n \n  c\n\td'.split(PARAGRAPH_BREAK).join('|'), 'a\nb|  c\n\td')
  })

  for (const piece of ['\n', '\n ', ' ', '\n\t\u00A0', 'a\n\n'])
    test(`costs little to check: ${JSON.stringify(piece)}`, () => {
      const before = cpuMs()
      try {
        checkContractText(piece.repeat(100_000 / piece.length))
      } catch {
        // The text is refused, just as quickly.
      }
      const spent = cpuMs() - before
      equal(spent < CPU_MS_MAX, true, `${spent} ms`)
    })
})
