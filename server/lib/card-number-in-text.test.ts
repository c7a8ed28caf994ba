import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { holdsCardNumber } from './card-number-in-text.ts'
import { withCheckDigit } from './luhn.ts'
import { seededRandom } from './seeded-random.ts'

const NUMBERS = {
  Visa: '4242424242424242',
  'Visa of 13 digits': '4222222222222',
  'Visa of 19 digits': withCheckDigit('424242424242424242'),
  Mastercard: '5555555555554444',
  'Mastercard of the second range': '2223003122003222',
  'American Express': '378282246310005',
  Discover: '6011111111111117',
  'Diners Club': '30569309025904',
  JCB: '3530111333300000',
  UnionPay: '6200000000000005',
  Maestro: '6759649826438453',
}
const grouped = (digits: string, mark: string) => digits.match(/.{1,4}/g)?.join(mark) ?? ''
const inScript = (digits: string, zero: number) =>
  digits.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

describe('A card number in a text is found', () => {
  for (const [network, digits] of Object.entries(NUMBERS)) {
    test(`of ${network}`, () => ok(holdsCardNumber(digits)))
  }

  const marks = [
    ...[
      ' ',
      '  ',
      '\t',
      '\n',
      '\r\n',
      '\u00a0',
      '\u2009',
      '\u202f',
      '\u3000',
      '-',
      '\u00ad',
      '\u2010',
      '\u2011',
      '\u2012',
    ],
    ...[
      '\u2013',
      '\u2014',
      '\u2212',
      '\ufe63',
      '\uff0d',
      ' - ',
      '.',
      '/',
      '_',
      ',',
      ', ',
      ':',
      '|',
      '*',
      '\u00b7',
      '\u200b',
      '\u200c',
      '\u200d',
    ],
    ...['\u2060', '\ufeff', '\u180e', '\u034f', '\u0301', '\u20e3', '\u2028', '\\', '+', '~', '(', ') ', '🎂'],
  ]
  for (const mark of marks) {
    test(`with ${JSON.stringify(mark)} between its groups, and between all of its digits`, () => {
      ok(holdsCardNumber(grouped(NUMBERS.Visa, mark)))
      ok(holdsCardNumber([...NUMBERS['American Express']].join(mark)))
    })
  }

  const zeros = {
    fullwidth: 0xff10,
    Arabic: 0x660,
    Persian: 0x6f0,
    Devanagari: 0x966,
    Thai: 0xe50,
    bold: 0x1d7ce,
    Adlam: 0x1e950,
  }
  for (const [script, zero] of Object.entries(zeros)) {
    test(`in ${script} digits`, () => ok(holdsCardNumber(grouped(inScript(NUMBERS.Visa, zero), ' '))))
  }
  test('in digits raised or circled', () => ok(holdsCardNumber('⁴²⁴²④②④②4242⁴²⁴②')))

  const beside = [
    'order 1234 4242 4242 4242 4242',
    '1234-4242424242424242',
    '4242424242424242 12/29',
    '4242 4242 4242 4242 12/29 123',
    '12/29 4242-4242-4242-4242',
    'card4242424242424242',
    '4242424242424242Ana',
    'Apt 4, 4242 4242 4242 4242, 5',
    '+4242424242424242',
    'https://shop.example/a/4242424242424242?x=1',
    '4242424242424242@example.com',
    '378282246310005/0431',
  ]
  for (const text of beside) test(`in ${text}`, () => ok(holdsCardNumber(text)))
})

describe('Not a card number', () => {
  const harmless = [
    '',
    '4242424242424241',
    '424242424242',
    '42424242424242424242',
    '4242424242424242424242424242',
    '1000000000000008',
    '9999999999999995',
    '7000000000000005',
    '4242x4242x4242x4242',
    '4242a4242b4242c4242',
    '$4,242.42 of 4242',
    '+49 1512 3456787',
    '+1 (514) 555-0100',
    '2026-11-22 14:30:05.123456',
    '019aabcd-0000-7000-8000-000000000000',
    '12345678-1234-4234-8234-424242424242',
    '192.168.100.200',
    '½ ⅓ Ⅳ',
  ]
  for (const text of harmless) test(JSON.stringify(text), () => equal(holdsCardNumber(text), false))
})

describe('Ordinary texts of merchants are rarely mistaken for one', () => {
  const random = seededRandom(7)
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
  const hex = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('')
  const time = () => 1_600_000_000_000 + Math.floor(random() * 400_000_000_000)
  const kinds: [name: string, make: () => string, percentMax: number][] = [
    ['order numbers of 6 to 12 digits', () => digits(6 + Math.floor(random() * 7)), 0],
    ['order numbers with a date', () => `ORD-2026-${digits(4)}-${digits(6)}`, 0],
    ['numbers of 13 digits, barcodes among them', () => digits(13), 1.5],
    ['numbers of 16 digits', () => digits(16), 5],
    ['numbers of more than 19 digits', () => digits(20 + Math.floor(random() * 20)), 0],
    ['telephone numbers of America', () => `+1 ${digits(3)} ${digits(3)} ${digits(4)}`, 0],
    ['telephone numbers of Germany', () => `+49 15${digits(2)} ${digits(7)}`, 0],
    ['telephone numbers of Indonesia', () => `62${digits(11)}`, 0],
    ['UUIDs', () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`, 0],
    ['UUIDs without dashes', () => `${hex(12)}4${hex(3)}8${hex(15)}`, 0],
    ['hashes', () => hex(40), 0.1],
    ['times in milliseconds', () => String(time()), 0],
    ['times', () => new Date(time()).toISOString().replace('T', ' '), 0],
    ['ZIP codes and house numbers', () => `${digits(4)} Main Street, ${digits(5)}-${digits(4)}`, 0],
  ]
  for (const [name, make, percentMax] of kinds) {
    test(`${name}: at most ${percentMax} %`, () => {
      const wrong = Array.from({ length: 20_000 }, make).filter(holdsCardNumber).length
      ok(wrong / 200 <= percentMax, `${wrong / 200} %`)
    })
  }

  test('a body of 64 KiB takes less than a second', () => {
    for (const text of ['6 '.repeat(32_768), '4242 '.repeat(13_107), '٤ '.repeat(21_845), '4'.repeat(65_536)]) {
      const from = cpuMs()
      holdsCardNumber(text)
      ok(cpuMs() - from < 1_000)
    }
  })
})
