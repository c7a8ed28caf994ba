import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { csvRows, timeWriter } from './csv.ts'
import { spreadsheetText } from './spreadsheet-text.ts'

const FORMULA = /^[\s"\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/
const CPU_MS_MAX = 50

describe('A text for a spreadsheet (DSH-124)', () => {
  test('has no formula where any machine may see the beginning of a cell', () => {
    const piece = fc.constantFrom(...'=+-@;,|"\'\t\r\n ＝＋－＠aé1'.split(''), '\0', ';;', '";"=', 'cmd|')
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom('comma', 'semicolon'), (given, format) => {
        const row = csvRows([['x', given, 'y']], { format, writeTime: timeWriter('UTC') } as const)
        for (const separator of [',', ';', '\t', '|'])
          for (const cell of row.split(/[\r\n]/).flatMap((line) => line.split(separator)))
            ok(!FORMULA.test(cell), `${JSON.stringify(cell)} of ${JSON.stringify(row)}`)
      }),
      { numRuns: 20_000 },
    )
  })

  test('differs from what was given by apostrophes alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (given) => {
        equal(spreadsheetText(given).replaceAll("'", ''), given.replaceAll("'", ''))
      }),
      { numRuns: 5_000 },
    )
  })

  for (const text of [
    ...[
      '007',
      '0042',
      '1234567890123456789',
      '123456789012',
      '1.50',
      '1,50',
      '1 000',
      '1\u00A0000',
      '10%',
      '$5',
      '5 €',
    ],
    ...['1E5', '12e45', '1e+18', '3/4', '1-2', '2027-03-01', '01.02.2027', '12:30', '9:15 AM', '14 h 30', 'May 3'],
    ...[
      '3 mars 2027',
      '12 déc.',
      '1 ene',
      '5 de mayo de 2027',
      'Sept 9',
      '(5)',
      '(514) 555-0100',
      '٠١٢',
      'TRUE',
      'faux',
    ],
    ...['1.2.3', '12 USD', '2027-03-01T09:30:00Z', '#3', '1 1/2'],
  ])
    test(`is marked as a text: ${text}`, () => equal(spreadsheetText(text), `'${text}`))

  test('is left alone where it stays what it is', () => {
    const texts = [
      ...['', '0', '42', '4242', '5145550100', '12345678901', 'Zoé Roy', 'May', 'Plan 9', 'A-1', '3 boxes', 'Q1 2027'],
      ...['ana-maria@example.com', '01939000-0000-7000-8000-000000000001', '203.0.113.7', 'Rock | Pop; Jazz', "L'été"],
    ]
    deepEqual(texts.map(spreadsheetText), texts)
  })

  for (const piece of ['=', '\t', ';=', '1', '1 ', 'é', '٣', '",;|'])
    test(`costs little, however long: ${JSON.stringify(piece)}`, () => {
      const text = piece.repeat(65_536 / piece.length)
      const before = cpuMs()
      spreadsheetText(text)
      const spent = cpuMs() - before
      ok(spent < CPU_MS_MAX, `${spent} ms`)
    })
})
