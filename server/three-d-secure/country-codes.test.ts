import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { COUNTRIES } from '../../contract/places.ts'
import { numericCountry } from './country-codes.ts'

describe('numeric country codes', () => {
  test('every country of an address has one, but Kosovo, and Intl reads each as that country', () => {
    deepEqual(
      COUNTRIES.filter((country) => numericCountry(country) === null),
      ['XK'],
    )
    for (const country of COUNTRIES.filter((one) => one !== 'XK')) {
      equal(new Intl.Locale(`und-${numericCountry(country)}`).region, country)
    }
  })

  test('a code that was withdrawn is not given, and neither is one of a country that does not exist', () => {
    deepEqual(['FR', 'DE', 'CZ', 'RU', 'YE', 'CW'].map(numericCountry), ['250', '276', '203', '643', '887', '531'])
    deepEqual(['', 'us', 'ZZ', 'constructor'].map(numericCountry), [null, null, null, null])
  })
})
