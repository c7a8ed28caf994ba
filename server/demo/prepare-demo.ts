import type { Client } from '../access/clients/client.ts'
import { authenticateClient } from '../access/clients/client-credentials.ts'
import { findWorkingKey } from '../access/keys/api-key-queries.ts'
import type { WithTransaction } from '../access/shared/context.ts'
import { findBearerToken } from '../access/tokens/bearer-queries.ts'
import { startFamily } from '../access/tokens/issue-tokens.ts'
import { newTokenPair } from '../access/tokens/token.ts'
import { findRefreshToken } from '../access/tokens/token-queries.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import { addSeconds } from '../lib/clock.ts'
import { credentialHashes } from '../lib/keyring.ts'
import {
  DEMO_EMAIL,
  DEMO_REDIRECT_URL,
  type DemoContext,
  newDemoCredentials,
  newDemoKey,
  signUpDemo,
} from './create-demo-business.ts'
import { type DemoCredentials, demoFilePath, readDemoFile, writeDemoFile } from './demo-file.ts'
import { type Demo, findDemo, lockDemo } from './demo-queries.ts'

/** Minimum remaining lifetime of an access token at start, so that the printed one works for most of a day. */
const SECONDS_LEFT_MIN = 23 * 3_600

type Context = WithTransaction<DemoContext, Tx>

/**
 * Creates the demo business in an empty database, and makes sure that the credentials in `demo.json` work, at every
 * start in staging. The file is written before the transaction commits: a crash in between leaves a file that the next
 * start finds invalid and replaces, never a business whose secrets nobody knows. Credentials of other processes on this
 * database are neither changed nor revoked.
 *
 * @returns the contents of the file; `null` if there is no demo business (production, or a database with others)
 * @see ACC-2
 */
export async function prepareDemo(context: DemoContext & { dataDir: string }): Promise<DemoCredentials | null> {
  if (context.environment !== 'staging') return null
  const path = demoFilePath(context.dataDir)
  return transaction(context.db, async (tx) => {
    await lockDemo(tx)
    const kept = await readDemoFile(path)
    const credentials = await credentialsNow({ ...context, db: tx }, kept)
    if (credentials && credentials !== kept) await writeDemoFile(path, credentials)
    return credentials
  })
}

async function credentialsNow(context: Context, kept: DemoCredentials | null): Promise<DemoCredentials | null> {
  const { environment, baseUrl: base_url, dashboardUrl: dashboard_url } = context
  const demo = await findDemo(context.db, { email: DEMO_EMAIL, redirectUrl: DEMO_REDIRECT_URL, environment })
  if (!demo) return signUpDemo(context)
  const client = kept && (await clientOf(context, demo, kept))
  // The file was lost, or belongs to another database. A process with another data directory keeps its own file.
  if (!kept || !client) return newDemoCredentials(context, demo.businessId)
  const tokens = (await tokensAreFresh(context, kept))
    ? null
    : await newTokens(context, { ...demo, clientId: client.id })
  const key = (await keyWorks(context, kept)) ? null : { api_key: await newDemoKey(context, demo.businessId) }
  const unchanged = !tokens && !key && kept.base_url === base_url && kept.dashboard_url === dashboard_url
  return unchanged ? kept : { ...kept, ...tokens, ...key, base_url, dashboard_url }
}

/** Finds the client whose secret the file contains; `null` if it is not a client of the demo business. */
async function clientOf(context: Context, demo: Demo, kept: DemoCredentials): Promise<Client | null> {
  const { client_id: clientId, client_secret: clientSecret } = kept
  const client = await authenticateClient(context, { clientId, clientSecret })
  return client?.businessId === demo.businessId ? client : null
}

async function tokensAreFresh(
  { db, keyring, clock, environment }: Context,
  { access_token, refresh_token }: DemoCredentials,
): Promise<boolean> {
  const now = clock.now()
  const access = await findBearerToken(db, { hashes: credentialHashes(keyring, access_token), environment, now })
  if (!access || access.expiresAt < addSeconds(now, SECONDS_LEFT_MIN)) return false
  const refresh = await findRefreshToken(db, credentialHashes(keyring, refresh_token), now)
  return refresh !== null && refresh.usedAt === null
}

async function keyWorks(
  { db, keyring, clock, environment }: Context,
  { api_key, business_id }: DemoCredentials,
): Promise<boolean> {
  const key = await findWorkingKey(db, { hashes: credentialHashes(keyring, api_key), environment, now: clock.now() })
  return key?.caller.business.id === business_id
}

/** Creates tokens in a new family, so that tokens obtained with the previous file keep working. */
async function newTokens(context: Context, demo: Demo) {
  const pair = newTokenPair()
  await startFamily(context, { pair, ...demo })
  return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
}
