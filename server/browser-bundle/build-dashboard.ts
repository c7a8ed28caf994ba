import { createHash } from 'node:crypto'
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { importedBy, type PageFiles, pageFiles } from './page-files.ts'
import { replaceFile } from './replace-file.ts'

// Builds the pages of the merchant dashboard: several scripts and styles with hashes in their names, each also
// compressed. A build is reused while the hash of its sources is the same. It takes seconds and a few hundred MB, so a
// service runs this file as a program of its own.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'build', 'dashboard')
const ENTRY = 'dashboard/main.tsx'
/** Reads the session while the entry is loaded. */
const BEGIN = 'dashboard/begin.ts'
const SOURCES = [
  'dashboard/**/*.{ts,tsx,css}',
  'contract/**/*.ts',
  'server/browser-bundle/{build-dashboard,page-files}.ts',
]
const HASH_LENGTH = 16
const FIRST_LIST = 'b/$business/payments'

/** Largest gzipped sizes (DSH-22). */
const BUDGETS = { script: 215 * 1024, style: 25 * 1024, page: 35 * 1024 }

export interface DashboardManifest {
  /** Name of the build's folder, below that of the manifest. */
  folder: string
  /**
   * The entry with the scripts that it imports statically, and the script that reads the session before these on a
   * signed-in page.
   */
  entry: { begin: string; script: string; preloads: string[]; styles: string[] }
  /** Files that a page adds, by its path below `/dashboard`. */
  pages: Record<string, PageFiles>
  files: { name: string; bytes: number; gzipBytes: number; brotliBytes: number }[]
  /** Gzipped bytes of the scripts until the list of payments is shown, and of the largest chunk of a page. */
  sizes: { script: number; style: number; page: { name: string; bytes: number } }
  builtFrom: string
}

/**
 * Builds the dashboard if its sources have changed.
 *
 * @param checksBudgets whether to throw if a file is larger than its budget; for tests, since a service starts anyway
 */
export async function buildDashboard({ checksBudgets = false } = {}): Promise<DashboardManifest> {
  const builtFrom = await hashSources()
  const found = await readManifest()
  const manifest = found?.builtFrom === builtFrom ? found : await build(builtFrom)
  if (checksBudgets) checkBudgets(manifest)
  return manifest
}

/** Whether the existing build was made from the current sources. */
export async function isDashboardBuilt(): Promise<boolean> {
  const [found, builtFrom] = await Promise.all([readManifest(), hashSources()])
  return found?.builtFrom === builtFrom
}

function checkBudgets({ sizes: { script, style, page } }: DashboardManifest): void {
  const measured = [
    ['the scripts of the first list of the dashboard', script, BUDGETS.script],
    ['the styles of the dashboard', style, BUDGETS.style],
    [`the dashboard's ${page.name}`, page.bytes, BUDGETS.page],
  ] as const
  for (const [what, bytes, most] of measured) {
    if (bytes > most) throw new Error(`${what} are ${bytes} bytes gzipped; the budget is ${most}.`)
  }
}

interface Output {
  fileName: string
  content: string | Uint8Array
}

async function build(builtFrom: string): Promise<DashboardManifest> {
  const { outputs, entry, pages, later } = await bundle()
  const folder = builtFrom.slice(0, HASH_LENGTH)
  const draft = join(FOLDER, `${folder}.${process.pid}.draft`)
  await mkdir(draft, { recursive: true })
  const files = await Promise.all(outputs.map((output) => writeCompressed(draft, output)))
  await rm(join(FOLDER, folder), { recursive: true, force: true })
  await rename(draft, join(FOLDER, folder)).catch((error: NodeJS.ErrnoException) => {
    // Another process has just made the same build.
    if (error.code !== 'ENOTEMPTY') throw error
    return rm(draft, { recursive: true, force: true })
  })
  const gzipped = (names: string[]) =>
    files.reduce((sum, { name, gzipBytes }) => (names.includes(name) ? sum + gzipBytes : sum), 0)
  const largest = later.map((name) => ({ name, bytes: gzipped([name]) })).sort((a, b) => b.bytes - a.bytes)[0]
  const sizes = {
    script: gzipped([entry.begin, entry.script, ...entry.preloads, ...(pages[FIRST_LIST]?.scripts ?? [])]),
    style: gzipped(entry.styles),
    page: largest ?? { name: '', bytes: 0 },
  }
  const manifest: DashboardManifest = { folder, entry, pages, files, sizes, builtFrom }
  const before = (await readManifest())?.folder
  await replaceFile(join(FOLDER, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await removeOthers([folder, before ?? folder])
  return manifest
}

/** Removes other builds, except for the previous one, for a service that is about to read it. */
async function removeOthers(kept: string[]): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    if (kept.includes(name) || name.endsWith('.draft') || name.endsWith('.json')) continue
    await rm(join(FOLDER, name), { recursive: true, force: true })
  }
}

interface Bundled {
  outputs: Output[]
  entry: DashboardManifest['entry']
  pages: Record<string, PageFiles>
  /** Scripts that the entry does not need at once. */
  later: string[]
}

async function bundle(): Promise<Bundled> {
  const [{ build: viteBuild }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const built = await viteBuild({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    base: '/dashboard/assets/',
    plugins: [react()],
    build: {
      write: false,
      target: 'es2022',
      copyPublicDir: false,
      modulePreload: { polyfill: false },
      assetsDir: '',
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: {
        input: [join(ROOT, ENTRY), join(ROOT, BEGIN)],
        // Puts what the entry needs into one file: of fifteen, most were smaller than the headers of their responses.
        output: {
          codeSplitting: { groups: [{ name: 'frame', tags: ['$initial'], test: (id) => id !== join(ROOT, BEGIN) }] },
        },
      },
    },
  })
  const all = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const outputs = all.map((output) => ({
    fileName: output.fileName,
    content: output.type === 'chunk' ? output.code : output.source,
  }))
  const chunks = all.filter((output) => output.type === 'chunk')
  const [script, begin] = [ENTRY, BEGIN].map((file) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(ROOT, file))
    if (!chunk) throw new Error(`${file} has no script.`)
    return chunk.fileName
  }) as [string, string]
  // It runs before the other scripts, and only on pages whose document names it.
  if (importedBy(begin, chunks).length > 0) throw new Error(`${BEGIN} is not a script of its own.`)
  const preloads = importedBy(script, chunks)
  const first = chunks.filter(({ fileName }) => [begin, script, ...preloads].includes(fileName))
  const styles = first.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  const later = chunks.filter((chunk) => !first.includes(chunk)).map(({ fileName }) => fileName)
  const pages = await pageFiles(ROOT, chunks, [script, ...preloads])
  return { outputs, entry: { begin, script, preloads, styles }, pages, later }
}

async function writeCompressed(folder: string, { fileName, content }: Output): Promise<DashboardManifest['files'][0]> {
  const bytes = Buffer.from(content)
  const [gzipped, brotli] = await Promise.all([
    promisify(gzip)(bytes, { level: 9 }),
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  ])
  const path = join(folder, fileName)
  await writeFile(path, bytes)
  await writeFile(`${path}.gz`, gzipped)
  await writeFile(`${path}.br`, brotli)
  return { name: fileName, bytes: bytes.length, gzipBytes: gzipped.length, brotliBytes: brotli.length }
}

async function hashSources(): Promise<string> {
  const found = await Array.fromAsync(glob([...SOURCES, 'package.json'], { cwd: ROOT }))
  const files = found.filter((file) => !file.endsWith('.test.ts')).sort()
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

async function readManifest(): Promise<DashboardManifest | null> {
  const text = await readFile(join(FOLDER, 'manifest.json'), 'utf8').catch(() => null)
  return text === null ? null : JSON.parse(text)
}

if (import.meta.main) {
  const { sizes } = await buildDashboard({ checksBudgets: process.argv.includes('--check') })
  if (process.argv.includes('--sizes')) process.stdout.write(`${JSON.stringify(sizes, null, 2)}\n`)
}
