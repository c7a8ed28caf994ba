import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { payRequestFrom } from '../server/checkout/page/form-post.ts'
import { plainDigits, readExpiry } from './typed-card.ts'

const BLANKS = ['', ' ', '  ', '\u00a0', '\u2009', '\t']
const ZEROS = [0x30, 0x0660, 0x06f0, 0xff10]

/** An expiry as people, password managers and browsers write it, in any digits and with blanks around its parts. */
const written = fc
  .record({
    month: fc.integer({ min: 1, max: 12 }),
    year: fc.integer({ min: 2026, max: 2060 }),
    form: fc.nat({ max: 11 }),
    blanks: fc.array(fc.constantFrom(...BLANKS), { minLength: 4, maxLength: 4 }),
    zero: fc.constantFrom(...ZEROS),
  })
  .map(({ month, year, form, blanks: [a = '', b = '', c = '', d = ''], zero }) => {
    const [mm, yy] = [String(month).padStart(2, '0'), String(year % 100)]
    const forms = [
      `${month}/${yy}`,
      `${mm}${b}/${c}${yy}`,
      `${mm}${b}-${c}${year}`,
      `${mm}${b}.${c}${yy}`,
      `${mm}${b}\u2215${c}${year}`,
      `${mm} ${yy}`,
      `${mm} ${year}`,
      `${mm}${yy}`,
      `${mm}${year}`,
      `${year}${mm}`,
      `${year}${b}-${c}${mm}`,
      `${year}-${mm}-28`,
    ]
    const text = `${a}${forms[form]}${d}`.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)))
    return { text, month, year }
  })

test('PAG-130: an expiry is read in every form, alike by the script and by the server', () => {
  fc.assert(
    fc.property(written, ({ text, month, year }) => {
      deepEqual(readExpiry(text), { month, year }, JSON.stringify(text))
      const { cardData } = payRequestFrom({ exp: text }, 1)
      deepEqual([cardData?.month, cardData?.year], [String(month), year])
    }),
    { numRuns: 2_000 },
  )
})

test('PAG-130: what cannot be a month and a year stays unread, and never throws', () => {
  for (const text of ['', 'soon', '1', '12', '1/2/3', '12/3', '12/203', '20/31/12', '123456789']) {
    equal(readExpiry(text), null, text)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      readExpiry(text)
      plainDigits(text)
    }),
  )
})

test('PAG-130: a posted number and code are read like typed ones', () => {
  const { cardData } = payRequestFrom({ cardnumber: '\u200e٤٢٤٢-4242\u00a04242 4242 ', cvc: ' 1 2 3 ' }, 1)
  deepEqual([cardData?.cardNumber, cardData?.cvv], ['4242424242424242', '123'])
})
