import { equal, ok, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ExportFormat } from '../../../contract/dashboard/export-columns.ts'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import type { Cents } from '../../lib/money.ts'
import { type CsvCell, csvHead, csvRows, timeWriter } from './csv.ts'
import { streamCsv } from './stream-csv.ts'

const utc = timeWriter('UTC')
const COMMA = { format: 'comma', writeTime: utc } as const
const csvRow = (cells: CsvCell[], format: ExportFormat = 'comma') => csvRows([cells], { format, writeTime: utc })

describe('A row of CSV (DSH-8, DEF-14)', () => {
  test('separates cells by commas and ends with CR LF', () => {
    equal(csvRow(['a', 1, true, null]), 'a,1,true,\r\n')
  })

  test('quotes separators, quotes and line ends, and keeps accents', () => {
    equal(csvRow(['a,b', 'say "x"', 'two\nlines', 'Zoé']), '"a,b","say ""x""","two\nlines",Zoé\r\n')
  })

  test('quotes half a line end as well as a whole one', () => {
    equal(csvRow(['a\rb', 'a\nb', 'a\r\nb']), '"a\rb","a\nb","a\r\nb"\r\n')
  })

  test('begins with the byte order mark in the first line alone, and guards its names too', () => {
    equal(csvHead(['a', '=b'], 'comma'), "\uFEFFa,'=b\r\n")
    equal(csvRows([['a'], ['b']], COMMA), 'a\r\nb\r\n')
  })

  test('costs a twentieth of a millisecond of a processor at most', () => {
    const rows = Array.from({ length: 1_000 }, (_, number): CsvCell[] => [
      ...['Zoé "Z" Roy, Jr', '=1+1', 'a\nb', 'zoe@example.com', 'Visa', '4242', null, true, number],
      ...[new Date(number * 60_000), { cents: number as Cents }, { cents: -number as Cents }],
    ])
    const spent = [1, 2, 3, 4, 5].map(() => {
      const before = cpuMs()
      csvRows(rows, COMMA)
      return cpuMs() - before
    })
    // The minimum leaves out other work of the process.
    ok(Math.min(...spent) < 50, `${spent} ms for 1,000 rows`)
  })

  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '\0', '＝', '＋', '－', '＠']) {
    test(`does not let ${JSON.stringify(start)} begin a formula`, () => {
      const [cell = ''] = csvRow([`${start}1`])
        .replace(/^"/, '')
        .split('1')
      equal(cell, `'${start}`)
    })
  }

  test('writes amounts as they are, also negative ones', () => {
    equal(csvRow([{ cents: 123_405 as Cents }, { cents: -5 as Cents }]), '1234.05,-0.05\r\n')
  })

  test('has semicolons and decimal commas for machines that read those, and every text as it is for programs', () => {
    const cells: CsvCell[] = ['Zoé; Roy', '007', { cents: -123_405 as Cents }, 1.5, { day: '2027-03-01' }, true]
    equal(csvRow(cells), `"Zoé; Roy",'007,-1234.05,1.5,2027-03-01,true\r\n`)
    equal(csvRow(cells, 'semicolon'), `"Zoé; Roy";'007;"-1234,05";"1,5";2027-03-01;true\r\n`)
    equal(csvRow(['=1+1', ...cells], 'plain'), '=1+1,"Zoé; Roy",007,-1234.05,1.5,2027-03-01,true\r\n')
    equal(csvHead(['a', '=b'], 'plain'), 'a,=b\r\n')
  })

  test('writes times with the offset of the zone, over a change of the clocks', () => {
    const write = timeWriter('America/Toronto')
    equal(write(new Date('2027-03-14T06:59:59Z')), '2027-03-14T01:59:59-05:00')
    equal(write(new Date('2027-03-14T07:00:00Z')), '2027-03-14T03:00:00-04:00')
    equal(timeWriter('Asia/Kathmandu')(new Date('2027-01-01T00:00:00Z')), '2027-01-01T05:45:00+05:45')
  })
})

describe('A stream of CSV (DSH-8)', () => {
  const columns = { number: (row: { number: number }) => row.number }
  const source = (rowsMax: number) => ({
    columns,
    names: ['number'],
    ...COMMA,
    rowsMax,
    read: async (after: { number: number } | null, limit: number) =>
      Array.from({ length: Math.min(limit, 2_500 - (after?.number ?? 0)) }, (_, index) => ({
        number: (after?.number ?? 0) + index + 1,
      })),
  })
  const linesOf = async (rowsMax: number) => {
    let text = ''
    for await (const block of streamCsv(source(rowsMax))) text += block
    return text.trimEnd().split('\r\n')
  }

  test('has a byte order mark, the names, and every row once over its blocks', async () => {
    const lines = await linesOf(1_000_000)
    equal(lines[0], '\uFEFFnumber')
    equal(lines.length, 2_501)
    equal(new Set(lines).size, 2_501)
  })

  test('reads one block ahead of its receiver, and no further', async () => {
    let reads = 0
    const { read, ...rest } = source(1_000_000)
    const counted = (after: { number: number } | null, limit: number) => {
      reads++
      return read(after, limit)
    }
    const stream = streamCsv({ ...rest, read: counted })
    const blocks = stream[Symbol.asyncIterator]()
    await blocks.next()
    await new Promise(setImmediate)
    ok(reads <= 3, `${reads} blocks were read for a receiver that has the first line`)
    stream.destroy()
  })

  test('breaks where a block cannot be read, after those before it', async () => {
    const { read, ...rest } = source(1_000_000)
    const failing = (after: { number: number } | null, limit: number) =>
      after === null ? read(after, limit) : Promise.reject(new Error('away'))
    let text = ''
    const all = async () => {
      for await (const block of streamCsv({ ...rest, read: failing })) text += block
    }
    await rejects(all, /^Error: away$/)
    equal(text.trimEnd().split('\r\n').length, 1_001)
  })

  test('ends at the most rows that it may have', async () => {
    equal((await linesOf(1_001)).length, 1_002)
  })
})
