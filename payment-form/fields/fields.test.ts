import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainDigits, readExpiry } from '../../contract/typed-card.ts'
import { checkCardNumber, groupCardNumber } from './card-number.ts'
import { faultsOf } from './error-fields.ts'
import { checkExpiry, formatExpiry } from './expiry.ts'
import { checkEmail, checkNameOnCard, checkPostalCode, formatPostalCode } from './other-fields.ts'

const NOW = new Date('2026-11-21T12:00:00Z')

test('digits of other scripts are read, everything else is dropped', () => {
  assert.equal(plainDigits('٤٢ ۴۲-４２\u00a042'), '42424242')
  assert.equal(plainDigits('abc'), '')
})

test('a number is required, incomplete, invalid, of a brand that is not accepted, or valid', () => {
  const rows = [
    ['', 'card_number_required'],
    ['4242', 'card_number_incomplete'],
    ['4242 4242 4242 4', 'card_number_invalid'],
    ['4242 4242 4242 42', 'card_number_incomplete'],
    ['4242 4242 4242 4241', 'card_number_invalid'],
    ['4242 4242 4242 4242', null],
    ['4222222222222', null],
    ['3782 822463 10005', 'card_brand_not_accepted'],
    ['5555 5555 5555 4444', null],
  ] as const
  for (const [text, fault] of rows) assert.equal(checkCardNumber(text, ['visa', 'mastercard']), fault, text)
  assert.equal(checkCardNumber('6200000000000001', []), null, 'UnionPay has no check digit')
  assert.equal(checkCardNumber('9999999999999995', []), null, 'an unknown brand is left to the server')
})

test('numbers are grouped by brand', () => {
  assert.equal(groupCardNumber('378282246310005'), '3782 822463 10005')
  assert.equal(groupCardNumber('30569309025904'), '3056 930902 5904')
  assert.equal(groupCardNumber('42424242'), '4242 4242')
})

test('an expiry date is read in all its forms', () => {
  for (const text of ['1/31', '01/31', '01 / 31', '0131', '131', '01/2031', '012031', '2031-01', '٠١/٣١'])
    assert.deepEqual(readExpiry(text), { month: 1, year: 2031 }, text)
  for (const text of ['', '1', '01/', '1/3', '1/2/31', 'xx']) assert.equal(readExpiry(text), null, text)
  assert.equal(formatExpiry('2031-1'), '01 / 31')
  assert.equal(formatExpiry('01/'), '01/')
})

test('a card is valid until its month has ended everywhere', () => {
  const lastHour = new Date('2026-12-01T11:59:59Z')
  assert.equal(checkExpiry('11/26', lastHour), null)
  assert.equal(checkExpiry('11/26', new Date('2026-12-01T12:00:00Z')), 'expiry_past')
})

test('a wrong expiry date has an error of its own kind', () => {
  const rows = [
    ['', 'expiry_required'],
    ['04', 'expiry_incomplete'],
    ['13/31', 'expiry_invalid'],
    ['00/31', 'expiry_invalid'],
    ['01/26', 'expiry_past'],
    ['11/46', null],
    ['01/47', 'expiry_too_far'],
  ] as const
  for (const [text, fault] of rows) assert.equal(checkExpiry(text, NOW), fault, text)
})

test('postal codes follow the country', () => {
  const rows = [
    ['10001', 'US', null],
    ['10001-1234', 'US', null],
    ['1000', 'US', 'zip_code_invalid'],
    ['h2x1y4', 'CA', null],
    ['D2X 1Y4', 'CA', 'postal_code_invalid'],
    ['', 'CA', 'postal_code_required'],
    ['SW1A 1AA', 'GB', null],
    ['1', 'GB', 'postal_code_invalid'],
  ] as const
  for (const [text, country, fault] of rows) assert.equal(checkPostalCode(text, country), fault, text)
  assert.equal(formatPostalCode(' h2x-1y4 ', 'CA'), 'H2X 1Y4')
  assert.equal(formatPostalCode('10001', 'US'), '10001')
})

test('a name has 2 to 45 characters and is not a card number', () => {
  assert.equal(checkNameOnCard('Zoë Łukasiewicz-O’Neill'), null)
  assert.equal(checkNameOnCard('A'), 'name_on_card_invalid')
  assert.equal(checkNameOnCard('x'.repeat(46)), 'name_on_card_invalid')
  assert.equal(checkNameOnCard('4242-4242-4242-4242'), 'name_on_card_is_number')
})

test('an email address has one @ and no spaces', () => {
  assert.equal(checkEmail('ana@example.com'), null)
  for (const text of ['ana', 'a@b@c', 'a b@c']) assert.equal(checkEmail(text), 'email_invalid')
})

test('an error of the state marks each of its fields, one of which is visible', () => {
  const fields = faultsOf({ 'billing_address.state': ['is required'] }).map(({ field }) => field)
  assert.deepEqual(fields, ['state', 'state_us', 'state_ca'])
})

test('a card number in another field is named as one', () => {
  const [fault] = faultsOf({ 'shipping_address.line2': ['must not contain a card number'] })
  assert.deepEqual(fault, { field: 'shipping_line2', text: 'card_number_elsewhere' })
})

test('the server’s dotted names map to their fields', () => {
  const fields = faultsOf({ 'cardData.cardNumber': [], 'shipping_address.postal_code': [], toString: [], amount: [] })
  assert.deepEqual(
    fields.map(({ field }) => field),
    ['cardnumber', 'shipping_postal'],
  )
})
