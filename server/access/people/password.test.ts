import { equal } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hashPassword, passwordMatches } from './password.ts'

test('hashes are those of better-auth, both ways', async () => {
  const theirs = await import('better-auth/crypto')
  equal(await passwordMatches('Zürich 1', await theirs.hashPassword('Zürich 1')), true)
  equal(await theirs.verifyPassword({ hash: await hashPassword('Zürich 1'), password: 'Zürich 1' }), true)
  equal(await passwordMatches('Zürich 2', await hashPassword('Zürich 1')), false)
  equal(await passwordMatches('Zürich 1', null), false)
})

test('better-auth is not loaded by what a start loads', () => {
  const app = fileURLToPath(new URL('../../serve/serve.ts', import.meta.url))
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(process.argv[1])
    console.log(loaded.filter((url) => /node_modules\\/(better-auth|@scalar)\\//.test(url)).length)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, app], {
    encoding: 'utf8',
  })
  equal(stdout.trim(), '0', stderr)
})
