import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  COUNTRIES,
  isCountry,
  isPostalCode,
  PROVINCES,
  PROVINCES_FRENCH,
  regionCode,
  tidyPostalCode,
  US_STATES,
} from './places.ts'

/** Codes that Unicode has in addition to ISO 3166-1: groups, reserved codes, and countries that no longer exist. */
const NO_COUNTRIES =
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(' ')

describe('Countries', () => {
  test('are those of Unicode, without groups and former ones', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const known = letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => names.of(code))
    deepEqual(
      [...COUNTRIES],
      known.filter((code) => !NO_COUNTRIES.includes(code)),
    )
    equal(COUNTRIES.length, 250)
  })

  for (const code of ['ZZ', 'XX', 'EU', 'UK', 'SU', 'AA', 'us', 'USA', 'U', '', ' US']) {
    test(`${JSON.stringify(code)} is not one`, () => equal(isCountry(code), false))
  }
})

describe('States and provinces', () => {
  test('are recognized by code and by name, in French too', () => {
    equal(US_STATES.split(',').length, 51 + 5 + 3)
    equal(PROVINCES.split(',').length, 13)
    equal(PROVINCES_FRENCH.split(',').length, 13)
    for (const text of ['NY', 'ny', ' New York ', 'US-NY']) equal(regionCode('US', text), 'NY')
    for (const text of ['QC', 'Québec', 'quebec', 'CA-QC']) equal(regionCode('CA', text), 'QC')
    for (const text of ['Ontario', 'on']) equal(regionCode('CA', text), 'ON')
  })

  test('are not those of the other country', () => {
    for (const text of ['ON', 'ZZ', '', 'N', 'New', 'CA-QC']) equal(regionCode('US', text), null)
    for (const text of ['NY', 'ZZ', '', 'PQX', 'US-NY']) equal(regionCode('CA', text), null)
  })
})

describe('Postal codes', () => {
  test('of the United States have five digits or nine', () => {
    for (const code of ['10001', '10001-1234', '100011234', ' 10001 ']) ok(isPostalCode('US', code))
    for (const code of ['1000', '100012', 'H2X 1Y4', '', '10001-12']) ok(!isPostalCode('US', code))
  })

  test('of Canada are letters and digits in turn, and written in capitals', () => {
    for (const code of ['H2X 1Y4', 'h2x1y4', 'H2X-1Y4']) equal(tidyPostalCode('CA', code), 'H2X 1Y4')
    for (const code of ['10001', 'D2X 1Y4', 'H2X 1Y', 'H2X  1Y4', '']) ok(!isPostalCode('CA', code))
    equal(tidyPostalCode('GB', ' sw1a 1aa '), 'sw1a 1aa')
  })
})
