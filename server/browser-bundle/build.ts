import { createHash } from 'node:crypto'
import { glob, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildDashboard } from './build-dashboard.ts'
import { buildLetterTemplate } from './build-letters.ts'
import { replaceFile } from './replace-file.ts'

// Builds the scripts that browsers run. A build is reused while the hash of its sources is the same.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HASH_LENGTH = 16

interface Bundle {
  /** Name of the folder under build/. */
  name: string
  entry: string
  /** File name before the hash. */
  script: string
  /** All files that the bundle may import. */
  sources: string[]
  gzipBytesMax: number
  /** Newest syntax that it may use. */
  target: 'es2020' | 'es2022'
  /** Why the script exists, for the script inventory of PCI DSS 4.0.1, requirement 6.4.3. */
  reason: string
}

export const BUNDLES: readonly Bundle[] = [
  {
    name: 'payment-form',
    entry: 'payment-form/form.ts',
    script: 'form',
    sources: ['payment-form/**/*.ts', 'contract/*.ts', 'server/browser-bundle/build.ts'],
    gzipBytesMax: 25 * 1024,
    target: 'es2022',
    reason: 'Checks the card fields while they are filled in, sends the payment and shows its outcome.',
  },
  {
    name: 'google-pay-button',
    entry: 'payment-form/wallet/google-pay-button.ts',
    script: 'button',
    sources: ['payment-form/wallet/*.ts', 'contract/*.ts', 'server/browser-bundle/build.ts'],
    gzipBytesMax: 6 * 1024,
    target: 'es2022',
    reason:
      'Shows the Google Pay button in a frame of another origin than the card fields, and loads Google’s script there.',
  },
  clientLibrary('rialto-checkout', 'Opens the payment form in the page of a merchant, embedded or in a modal.'),
  clientLibrary('rapid', 'The same library; a session is a modal unless the page says otherwise.'),
]

function clientLibrary(script: string, reason: string): Bundle {
  return {
    name: `browser-client/${script}`,
    entry: `browser-client/${script}.ts`,
    script,
    sources: [
      'browser-client/*.ts',
      'browser-client/package.json',
      'contract/browser-messages.ts',
      'server/browser-bundle/build.ts',
    ],
    gzipBytesMax: 6 * 1024,
    target: 'es2020',
    reason,
  }
}

export interface BundleManifest {
  script: { file: string; integrity: string; bytes: number; gzipBytes: number }
  builtFrom: string
}

/**
 * Builds every bundle whose sources have changed, and the layout of the letters.
 *
 * @param checksBudgets whether to throw if a script is larger than its budget; for tests, since a service starts anyway
 */
export async function buildBrowserBundles({ checksBudgets = false } = {}): Promise<void> {
  for (const bundle of BUNDLES) {
    const builtFrom = await hashSources(bundle)
    const found = await readManifest(bundle)
    const { script } = found?.builtFrom === builtFrom ? found : await buildBundle(bundle, builtFrom)
    if (checksBudgets && script.gzipBytes > bundle.gzipBytesMax)
      throw new Error(`${bundle.name} is ${script.gzipBytes} bytes gzipped; its budget is ${bundle.gzipBytesMax}.`)
  }
  await buildLetterTemplate()
}

async function buildBundle(bundle: Bundle, builtFrom: string): Promise<BundleManifest> {
  const code = await bundleScript(bundle)
  const gzipBytes = gzipSync(code, { level: 9 }).byteLength
  const hash = createHash('sha256').update(code).digest('hex').slice(0, HASH_LENGTH)
  const file = `${bundle.script}.${hash}.js`
  const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`
  const manifest: BundleManifest = {
    script: { file, integrity, bytes: Buffer.byteLength(code), gzipBytes },
    builtFrom,
  }
  const inventory = [{ name: file, integrity, reason: bundle.reason }]
  await mkdir(folderOf(bundle), { recursive: true })
  await replaceFile(join(folderOf(bundle), file), code)
  await replaceFile(join(folderOf(bundle), 'scripts.json'), `${JSON.stringify(inventory, null, 2)}\n`)
  // The manifest is written last, and earlier scripts stay, so every reader finds the files that its manifest names.
  await replaceFile(join(folderOf(bundle), 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

/** Imports Vite only if there is something to build, because the import takes longer than the rest of the start. */
async function bundleScript(bundle: Bundle): Promise<string> {
  const { build } = await import('vite')
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: bundle.target,
      copyPublicDir: false,
      lib: { entry: join(ROOT, bundle.entry), formats: ['iife'], name: 'bundle', fileName: bundle.script },
    },
  })
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [script, ...others] = outputs
  if (script?.type !== 'chunk' || others.length > 0) throw new Error(`${bundle.name} must become exactly one script.`)
  return script.code
}

async function hashSources(bundle: Bundle): Promise<string> {
  const files = (await Array.fromAsync(glob(bundle.sources, { cwd: ROOT }))).filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const hash = createHash('sha256')
  for (const file of files.sort()) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

async function readManifest(bundle: Bundle): Promise<BundleManifest | null> {
  const text = await readFile(join(folderOf(bundle), 'manifest.json'), 'utf8').catch(() => null)
  return text === null ? null : JSON.parse(text)
}

function folderOf(bundle: Bundle): string {
  return join(ROOT, 'build', bundle.name)
}

if (import.meta.main) {
  await buildBrowserBundles({ checksBudgets: true })
  await buildDashboard({ checksBudgets: true })
}
