import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../lib/errors.ts'
import { withCheckDigit } from '../lib/luhn.ts'
import { parseBinTable } from './bin-table.ts'
import { type CardData, readCard } from './card.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const BINS = parseBinTable('bin_from,bin_to,funding,country\n424242,424242,credit,US')
const TYPED: CardData = { cardNumber: '4242424242424242', month: '12', year: 2031, nameOnCard: 'Ana Roy', cvv: '123' }

const read = (given: Partial<CardData> = {}, { now = NOW, nameRequired = true } = {}) =>
  readCard({ ...TYPED, ...given }, { now, nameRequired, bins: BINS })

function wrongWith(given: Partial<CardData>, options?: { now?: Date; nameRequired?: boolean }) {
  let errors: Record<string, string[]> = {}
  throws(
    () => read(given, options),
    (error) => {
      ok(error instanceof ApiError && error.code === 'validation_failed')
      errors = error.detail.errors ?? {}
      const message = JSON.stringify([error.message, errors])
      for (const typed of [given.cardNumber, given.cvv, given.nameOnCard]) {
        ok(!typed?.trim() || !message.includes(typed), 'the error does not contain the value')
      }
      return true
    },
  )
  return errors
}

describe('The brand and length of a card number', () => {
  const rows: [number: string, brand: string, cvv: string][] = [
    ['4242424242424242', 'visa', '123'],
    [withCheckDigit('400000000000000000'), 'visa', '123'],
    ['5555555555554444', 'mastercard', '123'],
    ['2223003122003222', 'mastercard', '123'],
    ['378282246310005', 'amex', '1234'],
    ['6011111111111117', 'discover', '123'],
    ['30569309025904', 'diners', '123'],
    ['3530111333300000', 'jcb', '123'],
    ['6200000000000005', 'unionpay', '123'],
  ]
  for (const [cardNumber, brand, cvv] of rows) {
    test(`${cardNumber} is ${brand}`, () => {
      const card = read({ cardNumber, cvv })
      deepEqual([card.brand, card.first6, card.last4], [brand, cardNumber.slice(0, 6), cardNumber.slice(-4)])
      equal(card.number.reveal(), cardNumber)
    })
  }

  test('spaces and dashes are removed', () => {
    equal(read({ cardNumber: '4242-4242 4242-4242' }).number.reveal(), '4242424242424242')
  })

  const none: Record<string, string> = {
    'a wrong check digit': '4242424242424241',
    'a digit too few': withCheckDigit('42424242424242'),
    'a digit too many': withCheckDigit('4242424242424242'),
    'a network that is not accepted (Maestro)': '6759649826438453',
    'no network': withCheckDigit('999999999999999'),
    letters: '4242x42424242424',
    'digits of another script': '４２４２４２４２４２４２４２４２',
    'only spaces and a dash': ' - ',
  }
  for (const [name, cardNumber] of Object.entries(none)) {
    test(`${name} is not a card number`, () => {
      deepEqual(wrongWith({ cardNumber })['cardData.cardNumber'], ['must be a card number'])
    })
  }

  test('the error names every invalid field', () => {
    const errors = wrongWith({ cardNumber: '4242424242424241', month: '13', cvv: '99', nameOnCard: ' ' })
    deepEqual(Object.keys(errors), ['cardData.cardNumber', 'cardData.month', 'cardData.cvv', 'cardData.nameOnCard'])
  })
})

describe('The expiry', () => {
  test('a two-digit year is in this century', () => {
    equal(read({ year: 31 }).expYear, 2031)
    equal(read({ month: '1', year: 2031 }).expMonth, 1)
    equal(read({ month: '01' }).expMonth, 1)
  })

  test('a card is valid until its expiry month has ended in every time zone, at UTC-12 last', () => {
    const lastMoment = new Date('2026-12-01T11:59:59.999Z')
    equal(read({ month: '11', year: 2026 }, { now: lastMoment }).expMonth, 11)
    const over = new Date('2026-12-01T12:00:00Z')
    deepEqual(wrongWith({ month: '11', year: 2026 }, { now: over }), { 'cardData.year': ['must not be in the past'] })
  })

  test('the ends of December and of a leap February are correct', () => {
    equal(read({ month: '12', year: 2026 }, { now: new Date('2027-01-01T11:59:59Z') }).expYear, 2026)
    equal(read({ month: '2', year: 2028 }, { now: new Date('2028-02-29T23:00:00Z') }).expMonth, 2)
    ok(wrongWith({ month: '12', year: 2026 }, { now: new Date('2027-01-01T12:00:00Z') }))
  })

  for (const month of ['0', '00', '13', '-1', '1.', 'ab', ' 1', '１']) {
    test(`${JSON.stringify(month)} is not a month`, () => {
      deepEqual(wrongWith({ month })['cardData.month'], ['must be a month from 1 to 12'])
    })
  }

  for (const year of [2025, 25, 0, -1, 100, 2047, 99, 999_999, Number.MAX_VALUE]) {
    test(`${year} is not a valid expiry year in 2026`, () => {
      ok(wrongWith({ year })['cardData.year'] ?? wrongWith({ year })['cardData.month'])
    })
  }

  test('an expiry twenty years ahead is accepted', () => equal(read({ year: 2046 }).expYear, 2046))
})

describe('The CVV', () => {
  test('has four digits on American Express and three on every other', () => {
    equal(read({ cardNumber: '378282246310005', cvv: '1234' }).cvv?.reveal(), '1234')
    deepEqual(wrongWith({ cardNumber: '378282246310005', cvv: '123' }), { 'cardData.cvv': ['must have 4 digits'] })
    deepEqual(wrongWith({ cvv: '1234' }), { 'cardData.cvv': ['must have 3 digits'] })
  })

  for (const cvv of ['12', '12a', ' 12', '１２３', '-12', '1.2']) {
    test(`${JSON.stringify(cvv)} is not a CVV`, () => ok(wrongWith({ cvv })['cardData.cvv']))
  }
})

describe('The name on the card', () => {
  test('is required on the form but not in the modal', () => {
    const { nameOnCard: _, ...nameless } = TYPED
    throws(() => readCard(nameless, { now: NOW, nameRequired: true, bins: BINS }), /nameOnCard is required/)
    equal(readCard(nameless, { now: NOW, nameRequired: false, bins: BINS }).nameOnCard, null)
    ok(wrongWith({ nameOnCard: '   ' }))
    equal(read({ nameOnCard: '   ' }, { nameRequired: false }).nameOnCard, null)
  })

  const numbers = [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242.4242/4242_4242',
    '４２４２４２４２４２４２４２４２',
    '4242\u00a04242\u20094242\u200b4242',
    'Ana 4242424242424242',
  ]
  for (const nameOnCard of numbers) {
    test(`must not contain a card number: ${JSON.stringify(nameOnCard)}`, () => {
      deepEqual(wrongWith({ nameOnCard }), { 'cardData.nameOnCard': ['must be a name'] })
    })
  }

  for (const nameOnCard of ['Ana Roy', 'José 3rd', 'مريم', 'X Æ A-12', "D'Arcy-Smith 2"]) {
    test(`may be ${nameOnCard}`, () => equal(read({ nameOnCard: ` ${nameOnCard} ` }).nameOnCard, nameOnCard))
  }
})
