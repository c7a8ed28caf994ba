import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../config.ts'
import { prepareDataDirectory } from '../db/data-directory.ts'
import { MASTER_KEY_BYTES } from '../lib/keyring.ts'

/**
 * Returns the configured keys. Staging without one creates its own, so that `npm start` is enough; production never
 * does.
 */
export function masterKeysOf({ masterKeys, dataDir }: Pick<Config, 'masterKeys' | 'dataDir'>): Buffer[] {
  return masterKeys.length > 0 ? masterKeys : [stagingMasterKey(resolve(dataDir))]
}

function stagingMasterKey(dataDir: string): Buffer {
  prepareDataDirectory(dataDir)
  const file = join(dataDir, 'master.key')
  if (!existsSync(file))
    writeFileSync(file, randomBytes(MASTER_KEY_BYTES).toString('base64'), { mode: 0o600, flag: 'wx' })
  const key = Buffer.from(readFileSync(file, 'utf8'), 'base64')
  if (key.length !== MASTER_KEY_BYTES)
    throw new Error(`${file} is not a master key. Restore it: without the key, stored cards and tokens are lost`)
  return key
}
