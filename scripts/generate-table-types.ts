// `npm run db:types -- <database url>`: generates server/db/tables.ts from a migrated database. --verify only compares.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const OUT = fileURLToPath(new URL('../server/db/tables.ts', import.meta.url))
const CLI = fileURLToPath(import.meta.resolve('kysely-codegen/dist/cli/bin.js'))

/**
 * Generates or verifies the file.
 *
 * @returns whether the file now matches the database
 */
export function generateTableTypes(databaseUrl: string, { verify = false } = {}): { current: boolean; output: string } {
  const options = ['--dialect', 'postgres', '--url', databaseUrl, '--out-file', OUT, '--include-pattern', 'public.*']
  const types = ['--type-mapping', JSON.stringify({ int8: 'number', date: 'string' }), '--log-level', 'error']
  const run = spawnSync(process.execPath, [CLI, ...options, ...types, ...(verify ? ['--verify'] : [])], {
    encoding: 'utf8',
  })
  return { current: run.status === 0, output: run.stdout + run.stderr }
}

if (import.meta.main) {
  const [url] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
  if (!url) throw new Error('Name the database: npm run db:types -- postgres://…')
  const { current, output } = generateTableTypes(url, { verify: process.argv.includes('--verify') })
  console.log(output)
  process.exitCode = current ? 0 : 1
}
