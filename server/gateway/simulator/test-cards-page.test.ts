import { equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testCardsPage } from './test-cards-page.ts'

test('docs/reference/test-cards.md matches the simulator', async () => {
  const page = await readFile(new URL('../../../docs/reference/test-cards.md', import.meta.url), 'utf8')
  equal(page, testCardsPage())
})
