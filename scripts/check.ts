// npm test: format, lint, types, dead code, browser bundles, then all tests. `npm test -- <files>`: only those tests.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const CHECKS: [name: string, command: string, args: string[]][] = [
  ['format and lint', 'biome', ['ci', '--error-on-warnings', '.']],
  ['types', 'tsc', ['--noEmit']],
  ['dead code', 'knip', []],
  ['browser bundles', process.execPath, ['server/browser-bundle/build.ts']],
  ['server bundle', process.execPath, ['server/server-bundle/build-bundle.ts']],
]

const files = process.argv.slice(2)
useHooks()
const failed = files.length > 0 ? null : CHECKS.find(([name, command, args]) => !passes(name, command, args))
process.exitCode = failed ? 1 : runTests()

function passes(name: string, command: string, args: string[]): boolean {
  const start = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' })
  console.log(`${status === 0 ? '✔' : '✖'} ${name} (${Math.round(performance.now() - start)} ms)`)
  return status === 0
}

/** Tells git to use the hooks of this repository, if no other hooks are configured. */
function useHooks(): void {
  if (!existsSync('.git') || spawnSync('git', ['config', 'core.hooksPath']).stdout?.length !== 0) return
  spawnSync('git', ['config', 'core.hooksPath', '.githooks'])
}

function runTests(): number {
  return spawnSync(process.execPath, ['scripts/run-tests.ts', ...files], { stdio: 'inherit' }).status ?? 1
}
