import { deepEqual, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

const HOOK = join(import.meta.dirname, '../.githooks/commit-msg')

describe('the subject of a commit', {
  skip: process.platform === 'win32' && 'git runs hooks with its own shell',
}, () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-commit-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  function commit(message: string) {
    const file = join(folder, 'message')
    writeFileSync(file, message)
    return spawnSync('sh', [HOOK, file], { encoding: 'utf8' })
  }

  test('is an area and what now holds, in under 60 characters', () => {
    const good = ['checkout: refuse a second open sale', 'db, jobs: one pool\n\nWhy.', `lib: ${'a'.repeat(54)}`]
    const others = ['Merge branch x', 'Revert "lib: a"', 'fixup! lib: a']
    const bad = ['fix bug', 'Checkout: a', 'checkout:a', 'checkout: ', '', `lib: ${'a'.repeat(55)}\n\nWhy.`]
    deepEqual(
      [...good, ...others, ...bad].filter((message) => commit(message).status !== 0),
      bad,
    )
    match(commit('fix bug').stderr, /area: what now holds.*fix bug/)
  })
})
