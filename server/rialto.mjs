// The entry of npm start and of every command. It runs the bundle of the server if that was built from the sources that
// are there (server/server-bundle), otherwise the sources. Node keeps what it has made of each file (types stripped,
// compiled to bytecode) under build/compiled, by the file's content: nothing stale ever runs.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../build/compiled', import.meta.url)))
const { findBundle } = await import('./server-bundle/find-bundle.ts')
const bundle = findBundle()
if (bundle === null) await import('./main.ts')
else {
  const { nameSourceLines } = await import('./server-bundle/source-lines.ts')
  nameSourceLines(bundle)
  await import(pathToFileURL(join(bundle, 'main.js')).href)
}
