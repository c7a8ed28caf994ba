// npm run docs:events: generates docs/reference/events.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eventsPage } from './events-page.ts'
import { printOpenApi } from './openapi-text.ts'

const PAGE = fileURLToPath(new URL('../docs/reference/events.md', import.meta.url))
writeFileSync(PAGE, eventsPage(JSON.parse(await printOpenApi({}))))
