import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

// Finds the files that a page needs in addition to the entry's. Its document names them, so that the browser loads them
// together with the entry and not after it.

export interface PageFiles {
  scripts: string[]
  styles: string[]
  /** Scripts with the texts of the page and of its frame, by locale. English texts are in the scripts. */
  texts: Record<string, string[]>
}

/** A script as the bundler describes it. */
export interface Chunk {
  fileName: string
  facadeModuleId: string | null
  imports: string[]
  dynamicImports: string[]
  viteMetadata?: { importedCss: ReadonlySet<string> }
}

/** Texts of refusals, which are loaded when the first one is shown. */
const LOADED_LATER = '/field-texts/'

/**
 * @param entry every script that is loaded for all pages
 * @returns the files by the path of the page below `/dashboard`, such as `b/$business/payments/$id`
 */
export async function pageFiles(root: string, chunks: Chunk[], entry: string[]): Promise<Record<string, PageFiles>> {
  const files: Record<string, PageFiles> = {}
  for await (const area of glob('dashboard/areas/*/area.ts', { cwd: root })) {
    const source = await readFile(join(root, area), 'utf8')
    const pages = [...source.matchAll(/\bpath: '([^']*)',.*?\bload: \(\) => import\('([^']+)'\)/gs)]
    if (pages.length !== source.split('load:').length - 1) throw new Error(`${area} has a page that cannot be read.`)
    for (const [page, path = '', module = ''] of pages) {
      const id = join(root, dirname(area), module)
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === id)
      if (!chunk) throw new Error(`${module} of ${area} has no script of its own.`)
      files[page.includes('isPublic') ? path : `b/$business/${path}`] = filesOf(chunk, chunks, entry)
    }
  }
  return files
}

function filesOf({ fileName }: Chunk, chunks: Chunk[], entry: string[]): PageFiles {
  const scripts = [fileName, ...importedBy(fileName, chunks)].filter((name) => !entry.includes(name))
  const all = chunks.filter((one) => entry.includes(one.fileName) || scripts.includes(one.fileName))
  const own = all.filter((one) => scripts.includes(one.fileName))
  const later = new Set(all.flatMap(({ dynamicImports }) => dynamicImports))
  const texts: Record<string, string[]> = {}
  for (const { fileName: name, facadeModuleId } of chunks) {
    if (!later.has(name) || facadeModuleId === null || facadeModuleId.includes(LOADED_LATER)) continue
    const locale = basename(facadeModuleId, '.ts')
    if (locale === 'fr-CA' || locale === 'es') texts[locale] = [...(texts[locale] ?? []), name]
  }
  return { scripts, styles: own.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]), texts }
}

/** Returns every chunk that a chunk imports statically, directly or not. */
export function importedBy(name: string, chunks: Pick<Chunk, 'fileName' | 'imports'>[]): string[] {
  const found = new Set<string>()
  const add = (from: string) => {
    for (const next of chunks.find(({ fileName }) => fileName === from)?.imports ?? []) {
      if (found.has(next)) continue
      found.add(next)
      add(next)
    }
  }
  add(name)
  return [...found]
}
