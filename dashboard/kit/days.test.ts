import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { dayIn } from './days.ts'

test('a day is that of the time zone', () => {
  const time = Date.parse('2027-03-01T04:59:59Z')
  equal(dayIn('America/Toronto', time), '2027-02-28')
  equal(dayIn('America/Toronto', time + 1_000), '2027-03-01')
  equal(dayIn('Pacific/Kiritimati', time), '2027-03-01')
  equal(dayIn('UTC', Date.parse('2028-02-29T12:00:00Z')), '2028-02-29')
})
