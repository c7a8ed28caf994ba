import { type Tx, transaction } from '../db/transaction.ts'
import { addSeconds } from '../lib/clock.ts'
import { credentialHash, credentialHashes } from '../lib/keyring.ts'
import { findWorkingKey } from './api-key-queries.ts'
import { findBearerToken } from './bearer-queries.ts'
import { authenticateClient } from './client-credentials.ts'
import { replaceClientSecret } from './client-queries.ts'
import type { WithTransaction } from './context.ts'
import { DEMO_EMAIL, DEMO_REDIRECT_URL, type DemoContext, newDemoKey, signUpDemo } from './create-demo-business.ts'
import { type DemoCredentials, demoFilePath, readDemoFile, writeDemoFile } from './demo-file.ts'
import { type Demo, findDemo, lockDemo } from './demo-queries.ts'
import { startFamily } from './issue-tokens.ts'
import { hashPassword, newPassword } from './password.ts'
import { newSecret, newTokenPair } from './token.ts'
import { findRefreshToken } from './token-queries.ts'
import { replacePassword } from './user-queries.ts'

/** Of the 24 hours of an access token: less, and a start makes a new one, so that what it prints works for the day. */
const SECONDS_LEFT_MIN = 23 * 3_600

type Context = WithTransaction<DemoContext, Tx>

/**
 * At every start in staging: makes the demo business of an empty database, and sees to it that `demo.json` works. The file is
 * written before the transaction commits: a crash in between leaves a file that the next start finds wrong and replaces,
 * never a business whose secrets nobody knows.
 *
 * @returns what the file holds now; `null` when there is no demo business (production, or a database with others)
 * @see contract 3
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
  if (!kept || !(await clientIsKnown(context, demo, kept))) {
    return { ...(await newCredentials(context, demo)), base_url, dashboard_url }
  }
  const tokens = (await tokensAreFresh(context, kept)) ? null : await newTokens(context, demo)
  const key = (await keyWorks(context, kept)) ? null : { api_key: await newDemoKey(context, demo.businessId) }
  const unchanged = !tokens && !key && kept.base_url === base_url && kept.dashboard_url === dashboard_url
  return unchanged ? kept : { ...kept, ...tokens, ...key, base_url, dashboard_url }
}

async function clientIsKnown(context: Context, demo: Demo, kept: DemoCredentials): Promise<boolean> {
  const { business_id, client_id: clientId, client_secret: clientSecret } = kept
  if (business_id !== demo.businessId || clientId !== demo.clientId) return false
  return (await authenticateClient(context, { clientId, clientSecret })) !== null
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

/** A family of its own: the tokens that somebody made from the file before go on to work. */
async function newTokens(context: Context, demo: Demo) {
  const pair = newTokenPair()
  await startFamily(context, { pair, ...demo })
  return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
}

/** The file was lost, or is another database's: nobody knows the secrets, so they change. */
async function newCredentials(
  context: Context,
  demo: Demo,
): Promise<Omit<DemoCredentials, 'base_url' | 'dashboard_url'>> {
  const password = newPassword()
  const clientSecret = newSecret('rc_cs_')
  await replacePassword(context.db, demo.userId, await hashPassword(password), context.clock.now())
  await replaceClientSecret(context.db, demo.clientId, credentialHash(context.keyring, clientSecret))
  return {
    business_id: demo.businessId,
    client_id: demo.clientId,
    client_secret: clientSecret,
    ...(await newTokens(context, demo)),
    username: DEMO_EMAIL,
    password,
    redirect_url: DEMO_REDIRECT_URL,
    api_key: await newDemoKey(context, demo.businessId),
    webhook_secret: null,
  }
}
