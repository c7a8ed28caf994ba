import { equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isUuid, newId, randomBase32 } from './ids.ts'

describe('Ids', () => {
  test('are unique UUIDv7 in the order of creation', () => {
    const ids = Array.from({ length: 20_000 }, newId)
    equal(new Set(ids).size, ids.length)
    ok(ids.every((id) => isUuid(id) && id[14] === '7'))
    equal(ids.toSorted().join(), ids.join())
  })

  const id = '019aabcd-0000-7000-8000-000000000000'
  const none = [
    id.toUpperCase(),
    `{${id}}`,
    `urn:uuid:${id}`,
    id.replaceAll('-', ''),
    `${id} `,
    `${id}\n`,
    '',
    null,
    7,
    [id],
    { id },
  ]
  for (const value of none) test(`${JSON.stringify(value)} is none`, () => equal(isUuid(value), false))
})

describe('Random text', () => {
  test('has the requested length, in unambiguous letters', () => {
    match(randomBase32(200), /^[0-9A-HJKMNP-TV-Z]{200}$/)
    equal(randomBase32(0), '')
  })

  test('has every letter about equally often (chi-squared, 31 degrees, one in a million)', () => {
    const expected = 2_000
    const counts = new Map<string, number>()
    for (const letter of randomBase32(32 * expected)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    equal(counts.size, 32)
    ok(chi < 87, `chi-squared is ${chi}`)
  })
})
