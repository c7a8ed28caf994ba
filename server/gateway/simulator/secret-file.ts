import { readFile, writeFile } from 'node:fs/promises'
import { newSecret } from './access.ts'

/** For our user alone. */
const PRIVATE = 0o600

/** The secret in a file, which is made when it is missing. */
export async function readOrMakeSecret(path: string): Promise<string> {
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (kept.trim()) return kept.trim()
  const secret = newSecret()
  await writeFile(path, `${secret}\n`, { mode: PRIVATE })
  return secret
}
