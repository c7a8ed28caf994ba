// `npm run sdk:build`: compiles the SDK for `npm pack` in sdk/.
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SOURCE = join(ROOT, 'sdk')
const COPIED = ['package.json', 'README.md']

/** @param folder receives the package and is created if it is missing; by default the folder of the sources */
export function buildSdk(folder = SOURCE): void {
  const dist = join(folder, 'dist')
  mkdirSync(folder, { recursive: true })
  rmSync(dist, { recursive: true, force: true })
  const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
  execFileSync(tsc, ['-p', SOURCE, '--outDir', dist], { stdio: 'inherit', shell: process.platform === 'win32' })
  nameModulesByOutput(dist)
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  if (folder !== SOURCE) for (const file of COPIED) copyFileSync(join(SOURCE, file), join(folder, file))
}

/** tsc rewrites imports to `.js` in the code but leaves `.ts` in the declarations, which consumers cannot resolve. */
function nameModulesByOutput(dist: string): void {
  for (const file of globSync('**/*.d.ts', { cwd: dist })) {
    const path = join(dist, file)
    writeFileSync(path, readFileSync(path, 'utf8').replace(/((?:from|import\() ?['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
  }
}

if (import.meta.main) buildSdk()
