import { equal, match, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { firstIdAt, isUuid, newId, randomBase32, timeOfId } from './ids.ts'

describe('Ids', () => {
  test('are unique UUIDv7 in the order of creation', () => {
    const ids = Array.from({ length: 20_000 }, newId)
    equal(new Set(ids).size, ids.length)
    ok(ids.every((id) => isUuid(id) && id[14] === '7'))
    equal(ids.toSorted().join(), ids.join())
  })

  test('of an instant begin with its time, and with 1970 for an earlier one', () => {
    const now = new Date('2027-03-01T12:00:00Z')
    equal(timeOfId(firstIdAt(now)), now.getTime())
    ok(firstIdAt(now) < newId() || Date.now() < now.getTime())
    for (const day of ['1969-12-31', '1900-01-01', '0001-01-01']) {
      equal(timeOfId(firstIdAt(new Date(day))), 0, day)
      ok(firstIdAt(new Date(day)) < newId(), day)
    }
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
