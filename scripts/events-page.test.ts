import { deepEqual, equal } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { EVENT_TYPES } from '../contract/event.ts'
import { eventsPage } from './events-page.ts'
import { printOpenApi } from './openapi-text.ts'

const PAGE = new URL('../docs/reference/events.md', import.meta.url)

describe('docs/reference/events.md', () => {
  test('is current: `npm run docs:events` prints it anew', async () => {
    equal(await readFile(PAGE, 'utf8'), eventsPage(JSON.parse(await printOpenApi({}))))
  })

  test('has each type of event once', async () => {
    const headings = [...(await readFile(PAGE, 'utf8')).matchAll(/^### (.*)$/gm)].map(([, type]) => type)
    deepEqual(headings.sort(), [...EVENT_TYPES].sort())
  })
})
