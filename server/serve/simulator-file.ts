import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SimulatorAccess } from '../gateway/simulator/access.ts'

// data/simulator.json: the address and secret of the running simulator, for commands and developers. Mode 0600.

const PRIVATE = 0o600

const pathIn = (dataDir: string) => join(dataDir, 'simulator.json')

/** Writes the file anew, because the mode of an earlier one may differ. */
export async function writeSimulatorFile(dataDir: string, { url, secret }: SimulatorAccess): Promise<void> {
  const path = pathIn(dataDir)
  await rm(`${path}.new`, { force: true })
  await writeFile(`${path}.new`, `${JSON.stringify({ url, secret }, null, 2)}\n`, { mode: PRIVATE })
  await rename(`${path}.new`, path)
}

export async function removeSimulatorFile(dataDir: string): Promise<void> {
  await rm(pathIn(dataDir), { force: true })
}

/** @returns `null` if no service with a simulator runs on this data directory */
export async function readSimulatorFile(dataDir: string): Promise<SimulatorAccess | null> {
  try {
    return JSON.parse(await readFile(pathIn(dataDir), 'utf8')) as SimulatorAccess
  } catch {
    return null
  }
}
