// Where the shop is, and where it keeps its things: beside those of the Rialto on this machine.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DATA_DIR = resolve(ROOT, process.env.RIALTO_DATA_DIR?.trim() || 'data')

export const DEMO_FILE = join(DATA_DIR, 'demo.json')
export const CREDENTIALS_FILE = process.env.SHOP_CREDENTIALS ?? join(DATA_DIR, 'shop.json')
export const ORDERS_FILE = join(dirname(CREDENTIALS_FILE), 'shop-orders.json')
export const PORT = Number(process.env.SHOP_PORT ?? 4005)
export const SHOP_URL = `http://localhost:${PORT}`
/** What the shop sells in: `USD` or `CAD`. */
export const CURRENCY = process.env.SHOP_CURRENCY ?? 'USD'

/** @returns `null` when there is no such file */
export function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

/** In one step, and for nobody else to read: a crash leaves the old file or the new one. */
export function writeJson(path, value) {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
