import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { stateTable } from './state-table.ts'

const next = stateTable<'open' | 'shut' | 'gone', 'push' | 'burn'>([
  ['open', 'push', 'shut'],
  ['shut', 'push', 'open'],
  ['shut', 'burn', 'gone'],
])

test('a pair that is in the table moves', () => {
  equal(next('open', 'push'), 'shut')
  equal(next('shut', 'burn'), 'gone')
})

test('a pair that is not in the table is refused', () => {
  equal(next('open', 'burn'), null)
  equal(next('gone', 'push'), null)
})
