import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Contents of `data/demo.json` (ACC-2). */
export interface DemoCredentials {
  base_url: string
  dashboard_url: string
  business_id: string
  client_id: string
  client_secret: string
  access_token: string
  refresh_token: string
  username: string
  password: string
  redirect_url: string
  api_key: string
  webhook_secret: string | null
}

export const demoFilePath = (dataDir: string): string => join(dataDir, 'demo.json')

/** @returns `null` if the file is missing or incomplete; the credentials are then created again */
export async function readDemoFile(path: string): Promise<DemoCredentials | null> {
  try {
    const credentials = JSON.parse(await readFile(path, 'utf8')) as DemoCredentials
    const isComplete = SECRETS.every((field) => typeof credentials[field] === 'string')
    if (!isComplete) return null
    // The previous version wrote `null`. An empty text is not a key, so a new one is created.
    return { ...credentials, api_key: typeof credentials.api_key === 'string' ? credentials.api_key : '' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || error instanceof SyntaxError || error instanceof TypeError) return null
    throw error
  }
}

const SECRETS = ['business_id', 'client_id', 'client_secret', 'access_token', 'refresh_token', 'password'] as const

/** Writes the file so that readers see the old or the new one, never a part. Only the owner may read it. */
export async function writeDemoFile(path: string, credentials: DemoCredentials): Promise<void> {
  const draft = `${path}.new`
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
