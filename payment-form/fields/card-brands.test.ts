import assert from 'node:assert/strict'
import { test } from 'node:test'
import creditCardType from 'credit-card-type'
import { brandById, CARD_BRANDS, detectBrand } from './card-brands.ts'

test('the table agrees with credit-card-type on every prefix of four digits', () => {
  for (let prefix = 1000; prefix < 10_000; prefix++) {
    const digits = `${prefix}00`
    const theirs = creditCardType(digits).map(({ type }) => brandById(type)?.id)
    const ours = detectBrand(digits)?.id
    // UnionPay is reduced to its simple prefixes; credit-card-type has holes there for other networks.
    if (ours === 'unionpay' || theirs.includes('unionpay')) continue
    const known = theirs.filter((id) => id !== undefined)
    if (known.length === 1) assert.equal(ours, known[0], digits)
  }
})

test('gaps, lengths and codes are those of credit-card-type', () => {
  for (const brand of CARD_BRANDS) {
    const theirs = Object.values(creditCardType.types).find((type) => brandById(type) === brand)
    const info = creditCardType.getTypeInfo(theirs ?? '')
    assert.deepEqual([brand.gaps, brand.codeLength], [info.gaps, info.code.size], brand.id)
    for (const length of info.lengths) assert.ok(brand.lengths.includes(length), brand.id)
  }
})

test('a prefix that is not finished has no brand yet', () => {
  for (const digits of ['', '3', '5', '22', '60']) assert.equal(detectBrand(digits), null)
  assert.equal(detectBrand('4')?.id, 'visa')
  assert.equal(detectBrand('2720')?.id, 'mastercard')
  assert.equal(detectBrand('2721'), null)
})
