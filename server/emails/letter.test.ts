import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { SWITCHABLE_LETTERS } from '../businesses/letter-settings.ts'
import { LETTER_KINDS } from './letter.ts'

test('every kind of letter can be switched off (LTR-14)', () => {
  const switched = SWITCHABLE_LETTERS.map((name) => name.split('.')[1] ?? '')
  deepEqual([...new Set(switched)].sort(), [...LETTER_KINDS].sort())
})
