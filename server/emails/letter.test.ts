import { deepEqual } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { LETTER_KINDS, SWITCHABLE_LETTERS } from '../../contract/letters.ts'

test('every kind of letter can be switched off (LTR-14)', () => {
  const switched = SWITCHABLE_LETTERS.map((name) => name.split('.')[1] ?? '')
  deepEqual([...new Set(switched)].sort(), [...LETTER_KINDS].sort())
})

test('the page about settings names the letters that can be switched off', async () => {
  const page = await readFile(new URL('../../docs/operating/settings.md', import.meta.url), 'utf8')
  const [table] = page.split('Letters that can be switched off:').slice(1).join().split('```')
  deepEqual(
    [...(table ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    [...SWITCHABLE_LETTERS],
  )
})
