// npm run docs:dashboard: generates docs/reference/dashboard-api.md.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dashboardPage, dashboardRoutesOfApp } from './dashboard-page.ts'

const PAGE = fileURLToPath(new URL('../docs/reference/dashboard-api.md', import.meta.url))
writeFileSync(PAGE, dashboardPage(await dashboardRoutesOfApp()))
