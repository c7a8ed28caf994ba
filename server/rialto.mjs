// The entry of npm start and of every command. Node keeps what it has made of each file (types stripped, compiled to bytecode) under
// build/compiled, by the file's content: a changed file is made anew, so nothing stale ever runs, and stack traces name the source.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(fileURLToPath(new URL('../build/compiled', import.meta.url)))
await import('./main.ts')
