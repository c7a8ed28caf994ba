import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Builds the npm package @rialto/checkout from the sources of the script-tag library. `npm pack ./browser-client` runs
// this.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = join(ROOT, 'browser-client')
const DIST = join(SOURCE, 'dist')

async function buildBrowserPackage(): Promise<void> {
  await rm(DIST, { recursive: true, force: true })
  await mkdir(DIST)
  const [declarations] = await Promise.all([writeDeclarations(), writeModules()])
  for (const file of ['index.d.ts', 'index.d.cts']) await writeFile(join(DIST, file), declarations)
  await copyFile(join(ROOT, 'LICENSE'), join(SOURCE, 'LICENSE'))
}

async function writeModules(): Promise<void> {
  const { build } = await import('vite')
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: DIST,
      emptyOutDir: false,
      target: 'es2020',
      minify: false,
      copyPublicDir: false,
      lib: {
        entry: join(SOURCE, 'index.ts'),
        formats: ['es', 'cjs'],
        fileName: (format) => (format === 'es' ? 'index.js' : 'index.cjs'),
      },
    },
  })
}

/** Writes the same declarations for both module formats: those of `types.ts` and `errors.ts`, and the global object. */
async function writeDeclarations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-declarations-'))
  try {
    const options = [
      '--declaration',
      '--emitDeclarationOnly',
      '--stripInternal',
      '--outDir',
      folder,
      '--target',
      'es2022',
      '--module',
      'nodenext',
    ]
    const strictness = ['--strict', '--exactOptionalPropertyTypes', '--allowImportingTsExtensions', '--ignoreConfig']
    await run('tsc', [...options, ...strictness, join(SOURCE, 'types.ts'), join(SOURCE, 'errors.ts')])
    const texts = await Promise.all(['types.d.ts', 'errors.d.ts'].map((file) => readFile(join(folder, file), 'utf8')))
    const own = texts.join('').replace(/^import .*;\n/gm, '')
    return `${own}export declare const ServiceCheckout: ServiceCheckoutStatic;\n`
  } finally {
    await rm(folder, { recursive: true })
  }
}

function run(command: string, args: string[]): Promise<void> {
  const path = join(ROOT, 'node_modules', '.bin', command)
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, { stdio: 'inherit', shell: process.platform === 'win32' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${command} exited with code ${code}.`))))
  })
}

if (import.meta.main) {
  await buildBrowserPackage()
}
