import { createHash } from 'node:crypto'
import { glob, mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFile } from '../../../server/browser-bundle/replace-file.ts'
import { type DisplayRule, displayRules } from './display-rules.ts'

// Builds the dashboard for pages without a browser: all scripts in one function body, the rules of the styles that
// decide what is shown, and Playwright's own script that finds elements. A run builds it before its tests, and a build
// is reused while the hash of its sources is the same.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FILE = join(ROOT, 'build', 'dashboard-in-dom.json')
const SOURCES = [
  'dashboard/**/*.{ts,tsx,css}',
  'contract/**/*.ts',
  'test/support/dom/{build-program,display-rules}.ts',
  'package.json',
]

interface DashboardProgram {
  builtFrom: string
  /** The dashboard as the body of a function. */
  script: string
  /** Playwright's script, which sets `module.exports`. */
  finder: string
  rules: DisplayRule[]
}

/** Builds the program if its sources have changed. */
export async function buildDashboardProgram(): Promise<void> {
  const builtFrom = await hashSources()
  const found = await readProgram().catch(() => null)
  if (found?.builtFrom === builtFrom) return
  const [{ script, style }, finder] = await Promise.all([bundle(), readFinder()])
  const program: DashboardProgram = { builtFrom, script, finder, rules: displayRules(style) }
  await mkdir(dirname(FILE), { recursive: true })
  await replaceFile(FILE, JSON.stringify(program))
}

export async function readProgram(): Promise<DashboardProgram> {
  return JSON.parse(await readFile(FILE, 'utf8'))
}

async function hashSources(): Promise<string> {
  const files = (await Array.fromAsync(glob(SOURCES, { cwd: ROOT }))).filter((file) => !file.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

async function bundle(): Promise<{ script: string; style: string }> {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [react(), { name: 'root', transform: keepRoot }],
    build: {
      write: false,
      target: 'es2022',
      // Names stay, for the errors of failed tests.
      minify: false,
      cssCodeSplit: false,
      copyPublicDir: false,
      modulePreload: false,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: {
        input: join(ROOT, 'dashboard/main.tsx'),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const all = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const chunks = all.filter((output) => output.type === 'chunk')
  const style = all.flatMap((output) =>
    output.type === 'asset' && output.fileName.endsWith('.css') ? [String(output.source)] : [],
  )
  if (chunks.length !== 1 || !chunks[0]) throw new Error(`The dashboard has ${chunks.length} scripts instead of one`)
  return { script: chunks[0].code, style: style.join('\n') }
}

/** A page unmounts its dashboard before its window closes: an effect that runs later would not find its elements. */
function keepRoot(code: string, id: string): string | undefined {
  if (id !== join(ROOT, 'dashboard/main.tsx')) return
  const kept = code.replace('createRoot(root)', '(window.dashboardRoot = createRoot(root))')
  if (kept === code) throw new Error('dashboard/main.tsx has no root')
  return kept
}

const SOURCE_BEGIN = /injectedScriptSource\.ts"\(\) \{\s+"use strict";\s+\w+ = ('.*');\n/

/** Returns the script that Playwright runs in every page. It is a string of its bundle. */
async function readFinder(): Promise<string> {
  const core = createRequire(import.meta.url).resolve('playwright-core/lib/coreBundle')
  const [, literal] = (await readFile(core, 'utf8')).match(SOURCE_BEGIN) ?? []
  if (!literal) throw new Error('playwright-core has its script for finding elements in another place')
  return String(new Function(`return ${literal}`)())
}
