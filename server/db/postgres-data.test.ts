import { equal, throws } from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { checkCluster, EmbeddedPostgresError } from './postgres-data.ts'

const data = mkdtempSync(join(tmpdir(), 'rialto-cluster-'))
after(() => rmSync(data, { recursive: true }))
const modeOf = () => (statSync(data).mode & 0o777).toString(8)
const version = (text: string) => writeFileSync(join(data, 'PG_VERSION'), `${text}\n`)

describe('The data of the embedded PostgreSQL', { skip: process.platform === 'win32' }, () => {
  for (const [mode, narrow] of [
    [0o700, '700'],
    [0o750, '750'],
    [0o770, '750'],
    [0o775, '750'],
    [0o777, '750'],
    [0o755, '750'],
    [0o701, '700'],
  ] as const)
    test(`of mode ${mode.toString(8)} is closed as PostgreSQL wants it: ${narrow}`, () => {
      version('18')
      chmodSync(data, mode)
      checkCluster({ data }, '18.4.0-beta.17')
      equal(modeOf(), narrow)
    })

  for (const theirs of ['15', '17', '19', '9.6'])
    test(`OPS-37: of PostgreSQL ${theirs} is refused with both versions and the page that helps`, () => {
      version(theirs)
      throws(
        () => checkCluster({ data }, '18.4.0-beta.17'),
        (error: Error) =>
          error instanceof EmbeddedPostgresError &&
          error.message.includes(`PostgreSQL ${theirs},`) &&
          error.message.includes('PostgreSQL 18,') &&
          error.message.includes('docs/operating/database.md#another-major-version'),
      )
    })
})
