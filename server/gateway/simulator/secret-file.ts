import { readFile, writeFile } from 'node:fs/promises'
import { newSecret } from './access.ts'

const OWNER_ONLY = 0o600

/** Reads the secret from the file. Creates the file with a new secret if it is missing or empty. */
export async function readOrMakeSecret(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept.trim()) return kept.trim()
  const secret = newSecret()
  await writeFile(path, `${secret}\n`, { mode: OWNER_ONLY })
  return secret
}
