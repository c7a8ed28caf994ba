import { equal } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { hashPassword, passwordMatches } from './password.ts'

/** Hash of `Zürich 1`, by better-auth 1.7.25. */
const THEIRS =
  'ad6837c946d341f3faebca9339ffd4f4:12a9e412fd5df1f7d4607731c68719d373220759507212627da4bcf3990223aa4a4e56d4ab675c331437b8028be091f128130452c7022bead8238c8ba29ee896'

test('hashes are those of better-auth', async () => {
  equal(await passwordMatches('Zürich 1', THEIRS), true)
  equal(await passwordMatches('Zürich 2', THEIRS), false)
  equal(await passwordMatches('Zürich 1', await hashPassword('Zürich 1')), true)
  equal(await passwordMatches('Zürich 2', await hashPassword('Zürich 1')), false)
  equal(await passwordMatches('Zürich 1', null), false)
})

test('the library of passkeys and the API reference are not loaded by what a start loads', () => {
  const app = fileURLToPath(new URL('../../serve/serve.ts', import.meta.url))
  const program = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import(process.argv[1])
    console.log(loaded.filter((url) => /node_modules\\/(@simplewebauthn|@scalar)\\//.test(url)).length)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, app], {
    encoding: 'utf8',
  })
  equal(stdout.trim(), '0', stderr)
})
