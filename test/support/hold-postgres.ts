// A minimal service for tests that kill one: locks the data directory, starts its PostgreSQL, reports it and keeps
// running. hold-postgres.ts <data directory> [uid to become]
import { mkdirSync } from 'node:fs'
import { lockDataDirectory } from '../../server/db/data-directory-lock.ts'
import { startEmbeddedPostgres } from '../../server/db/embedded-postgres.ts'

const [dataDir = '', uid] = process.argv.slice(2)
if (uid) {
  process.setgid?.(Number(uid))
  process.setuid?.(Number(uid))
}

try {
  mkdirSync(dataDir, { recursive: true })
  lockDataDirectory(dataDir)
  const { url, adopted, stop } = await startEmbeddedPostgres({ dataDir })
  process.stdout.write(`${JSON.stringify({ url, adopted })}\n`)
  process.stdin.resume().once('end', stop)
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`)
}
