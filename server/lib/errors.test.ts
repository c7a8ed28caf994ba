import { deepEqual } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
const pairs = (text: string, row: RegExp) =>
  [...text.matchAll(row)].map(({ groups = {} }) => `${groups.status} ${groups.code}`).sort()

test('docs/reference/errors.md has every code with its status, and no other', async () => {
  const catalogue = pairs(await read('errors.ts'), /^ {2}(?<code>\w+): \{ status: (?<status>\d{3})\b/gm)
  const page = pairs(await read('../../docs/reference/errors.md'), /^\| (?<status>\d{3}) \| `(?<code>\w+)` \|/gm)
  // A code of two families is in the table of each.
  deepEqual([...new Set(page)], catalogue)
})
