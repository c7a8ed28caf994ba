import { equal, match, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { BinTableError, parseBinTable, readBinTable } from './bin-table.ts'

const HEADER = 'bin_from,bin_to,funding,country\n'
const TABLE = parseBinTable(`# From the acquirer.
${HEADER}
41111100,41111149,debit,US
411112,411119,credit,CA
51000000,51999999,credit,
400005,400005,prepaid,US
`)

describe('A BIN table', () => {
  for (const [digits, funding] of [
    ['41111100', 'debit'],
    ['41111149', 'debit'],
    ['41111150', 'unknown'],
    ['4111114900000000', 'debit'],
    ['411111', 'unknown'],
    ['411112', 'credit'],
    ['4111195', 'credit'],
    ['41112000', 'unknown'],
    ['51999999', 'credit'],
    ['400005', 'prepaid'],
    ['40000599', 'prepaid'],
    ['400004', 'unknown'],
    ['00000000', 'unknown'],
    ['99999999', 'unknown'],
    ['41111', 'unknown'],
    ['', 'unknown'],
  ] as const) {
    test(`${digits || 'no digit'} is ${funding}`, () => equal(TABLE.fundingOf(digits), funding))
  }

  const wrong = (text: string) => ({ name: 'BinTableError', message: new RegExp(text) })

  for (const [line, fault] of [
    ['41111,411119,credit,US', 'line 2: bin_from and bin_to must have 6 to 8 digits'],
    ['411111222,411111333,credit,US', 'line 2: bin_from'],
    ['411119,411111,credit,US', 'line 2: bin_from must not be above bin_to'],
    ['411111,411119,charge,US', 'line 2: funding must be one of credit, debit, prepaid'],
    ['411111,411119,unknown,US', 'line 2: funding'],
    ['411111,411119,credit,usa', 'line 2: country'],
    ['411111,411119,credit,US,Bank', 'line 2: must have at most four columns'],
    ['411111,411119,credit,US\n411115,411125,debit,US', 'line 3: overlaps line 2'],
  ] as const) {
    test(`the line "${line}" is refused with its number`, () =>
      throws(() => parseBinTable(HEADER + line), wrong(fault)))
  }

  test('the error lists all invalid lines, up to twenty', () => {
    const text = HEADER + 'x\n'.repeat(22)
    throws(
      () => parseBinTable(text),
      (error) => {
        match((error as Error).message, /line 2:.*line 21:.*and 2 more/s)
        return error instanceof BinTableError
      },
    )
  })

  test('a table without its header is refused', () => {
    throws(() => parseBinTable('411111,411119,credit,US'), wrong('line 1: must be bin_from,bin_to,funding,country'))
    throws(() => parseBinTable(''), wrong('line 1'))
  })
})

describe('readBinTable', () => {
  test('in staging, has the test cards', () => {
    const { fundingOf } = readBinTable(null, 'staging')
    for (const [number, funding] of [
      ['4000056655665556', 'debit'],
      ['5200828282828210', 'debit'],
      ['5105105105105100', 'prepaid'],
      ['4242424242424242', 'credit'],
      ['5555555555554444', 'credit'],
      ['2223003122003222', 'credit'],
      ['378282246310005', 'credit'],
      ['6011111111111117', 'credit'],
      ['4000001240000000', 'credit'],
      ['4000000000000002', 'credit'],
      ['4000990000000103', 'credit'],
      ['4111111111111111', 'unknown'],
    ] as const)
      equal(fundingOf(number), funding, number)
  })

  test("in production, has only the operator's ranges", (context) => {
    equal(readBinTable(null, 'production').fundingOf('42424242'), 'unknown')
    const folder = mkdtempSync(join(tmpdir(), 'rialto-bins-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'bins.csv')
    writeFileSync(file, `${HEADER}424242,424242,debit,US\r\n`)
    equal(readBinTable(file, 'production').fundingOf('42424242'), 'debit')
    throws(() => readBinTable(join(folder, 'none.csv'), 'production'), wrongFile)
  })
})

const wrongFile = { name: 'BinTableError', message: /RIALTO_BIN_TABLE is invalid/ }
