import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetFile, DashboardAssets, DashboardState } from '../dashboard/document.ts'
import { type DashboardManifest, isDashboardBuilt } from './build-dashboard.ts'

// Reads the built dashboard into memory. The path of a request never reaches the disk.

const BUILD = fileURLToPath(new URL('../../build/dashboard/', import.meta.url))
const PROGRAM = fileURLToPath(new URL('build-dashboard.ts', import.meta.url))

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @returns `null` when it was not built */
export function readDashboard(): DashboardAssets | null {
  const manifest = readManifest()
  if (!manifest) return null
  const { folder, entry, files } = manifest
  const read = (name: string): AssetFile => {
    const path = `${BUILD}${folder}/${name}`
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    return { type, plain: readFileSync(path), gzip: readFileSync(`${path}.gz`), brotli: readFileSync(`${path}.br`) }
  }
  return { ...entry, files: new Map(files.map(({ name }) => [name, read(name)])) }
}

function readManifest(): DashboardManifest | null {
  try {
    return JSON.parse(readFileSync(`${BUILD}manifest.json`, 'utf8'))
  } catch {
    return null
  }
}

interface Log {
  info(text: string): void
  error(detail: object, text: string): void
}

export interface DashboardBuild {
  state(): DashboardState
  stop(): void
}

/**
 * The dashboard for a service that starts now. In staging a stale one is built by another process, so that nothing
 * waits for it; production never builds (DSH-24).
 */
export function prepareDashboard(environment: 'staging' | 'production', log: Log): DashboardBuild {
  let state: DashboardState = 'building'
  let program: ChildProcess | null = null
  const read = () => {
    state = readDashboard() ?? 'missing'
    if (state === 'missing') log.error({}, 'The dashboard was not built. Run npm run build, then start again.')
  }
  if (environment === 'production') read()
  else
    isDashboardBuilt().then(
      (isBuilt) => {
        if (isBuilt) return read()
        program = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'ignore', 'pipe'] })
        yieldToOthers(program)
        reportEnd(program, log, read)
      },
      (error: unknown) => log.error({ err: error }, 'the dashboard could not be built'),
    )
  return { state: () => state, stop: () => void program?.kill() }
}

/** What starts beside it, the database above all, comes first. */
function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended, or the system does not allow it.
  }
}

function reportEnd(program: ChildProcess, log: Log, read: () => void): void {
  const start = performance.now()
  let errors = ''
  program.stderr?.on('data', (text) => {
    errors += text
  })
  program.once('error', (error) => log.error({ err: error }, 'the dashboard could not be built'))
  program.once('exit', (code, signal) => {
    if (signal) return
    if (code === 0) log.info(`the dashboard was built in ${Math.round(performance.now() - start)} ms`)
    else log.error({ errors: errors.slice(-4_000) }, 'the dashboard could not be built')
    read()
  })
}
