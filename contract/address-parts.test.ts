import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasCity, hasPostalCode, needsCity, needsPostalCode } from './address-parts.ts'
import { COUNTRIES } from './places.ts'

describe('The parts of an address (CHK-122)', () => {
  test('are needed only where a country has them', () => {
    for (const country of COUNTRIES) {
      ok(hasPostalCode(country) || !needsPostalCode(country), country)
      ok(hasCity(country) || !needsCity(country), country)
    }
    for (const country of ['HK', 'AE', 'QA', 'AO', 'ZW', 'BS'])
      deepEqual([hasPostalCode(country), needsPostalCode(country)], [false, false], country)
    for (const country of ['IE', 'PA', 'JM'])
      deepEqual([hasPostalCode(country), needsPostalCode(country)], [true, false])
    for (const country of ['US', 'CA', 'DE', 'JP', 'IN', 'IL', 'CN', 'SG', 'ZA'])
      deepEqual([hasPostalCode(country), needsPostalCode(country)], [true, true], country)
    for (const country of ['HK', 'SG', 'MO', 'GI']) deepEqual([hasCity(country), needsCity(country)], [false, false])
    for (const country of ['US', 'CA', 'AE', 'JP']) deepEqual([hasCity(country), needsCity(country)], [true, true])
  })

  test('are asked for where no country is known, and no two letters of two countries are one', () => {
    for (const country of [undefined, '', 'E ', ' A', 'AEA'])
      deepEqual([needsPostalCode(country), needsCity(country)], [true, true])
    equal(COUNTRIES.filter((country) => !hasPostalCode(country)).length, 59)
  })
})
