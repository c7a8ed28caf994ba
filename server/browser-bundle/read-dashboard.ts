import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AssetFile, DashboardAssets, DashboardState } from '../dashboard/document.ts'
import { type DashboardManifest, isDashboardBuilt } from './build-dashboard.ts'
import { type Builder, type BuilderLog, startBuilder } from './builder-process.ts'

// Reads the built dashboard into memory. The path of a request never reaches the disk.

const BUILD = fileURLToPath(new URL('../../build/dashboard/', import.meta.url))
const PROGRAM = fileURLToPath(new URL('build-dashboard.ts', import.meta.url))

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** @returns `null` if the dashboard was not built */
export function readDashboard(): DashboardAssets | null {
  const manifest = readManifest()
  if (!manifest) return null
  const { folder, entry, pages, files } = manifest
  const read = (name: string): AssetFile => {
    const path = `${BUILD}${folder}/${name}`
    const type = TYPES[extname(name)] ?? 'application/octet-stream'
    return { type, plain: readFileSync(path), gzip: readFileSync(`${path}.gz`), brotli: readFileSync(`${path}.br`) }
  }
  return { ...entry, pages, files: new Map(files.map(({ name }) => [name, read(name)])) }
}

function readManifest(): DashboardManifest | null {
  try {
    return JSON.parse(readFileSync(`${BUILD}manifest.json`, 'utf8'))
  } catch {
    return null
  }
}

export interface DashboardBuild {
  state(): DashboardState
  stop(): void
}

/**
 * Returns the dashboard for a service that starts now. In staging another process rebuilds an outdated one, so that
 * nothing waits for it; production never builds (DSH-24).
 */
export function prepareDashboard(environment: 'staging' | 'production', log: BuilderLog): DashboardBuild {
  let state: DashboardState = 'building'
  let builder: Builder | null = null
  const read = () => {
    state = readDashboard() ?? 'missing'
    if (state === 'missing') log.error({}, 'The dashboard was not built. Run npm run build, then start again.')
  }
  if (environment === 'production') read()
  else
    isDashboardBuilt().then(
      (isBuilt) => {
        if (isBuilt) return read()
        builder = startBuilder('the dashboard', PROGRAM, log)
        builder.ended.then((hasEnded) => hasEnded && read())
      },
      (error: unknown) => log.error({ err: error }, 'the dashboard could not be built'),
    )
  return { state: () => state, stop: () => void builder?.stop() }
}
