import { revokeOldClients } from '../access/clients/client-queries.ts'
import { createClient } from '../access/clients/create-client.ts'
import { revokeOldApiKeys } from '../access/keys/api-key-queries.ts'
import { createApiKey } from '../access/keys/create-api-key.ts'
import { createUser } from '../access/people/create-user.ts'
import type { HashedPassword } from '../access/people/password.ts'
import { insertMember } from '../access/people/user-queries.ts'
import { allowIp } from '../access/shared/allowed-ip.ts'
import type { AccessContext, WithTransaction } from '../access/shared/context.ts'
import { startFamily } from '../access/tokens/issue-tokens.ts'
import { newTokenPair } from '../access/tokens/token.ts'
import { anyBusiness } from '../businesses/business-queries.ts'
import { createBusiness } from '../businesses/create-business.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import { newId } from '../lib/ids.ts'
import type { DemoCredentials } from './demo-file.ts'
import { lockDemo } from './demo-queries.ts'

export const DEMO_EMAIL = 'owner@shop.example'
export const DEMO_REDIRECT_URL = 'https://shop.example'
const DEMO_KEY_NAME = 'Demo key'
const DEMO_CLIENT_NAME = 'Demo Shop server'
/**
 * Maximum number of credential sets. A database may outlive its data directories, as in containers, and collect them.
 */
const SETS_MAX = 20
const LOOPBACK = ['127.0.0.1', '::1']

/** Context with the addresses of the two hosts as people see them. */
export type DemoContext = AccessContext & { baseUrl: string; dashboardUrl: string }

/**
 * Signs up `Demo Shop`, so that a first call works without any set-up.
 *
 * @param ownerPassword the owner's password; by default, a new one
 * @returns `null` in production, and if the database already has a business
 * @see ACC-2
 */
export function createDemoBusiness(
  context: DemoContext,
  ownerPassword?: HashedPassword,
): Promise<DemoCredentials | null> {
  return transaction(context.db, async (tx) => {
    await lockDemo(tx)
    return signUpDemo({ ...context, db: tx }, ownerPassword)
  })
}

/** Signs up the demo inside the caller's transaction, which holds the lock. */
export async function signUpDemo(
  context: WithTransaction<DemoContext, Tx>,
  ownerPassword?: HashedPassword,
): Promise<DemoCredentials | null> {
  if (context.environment !== 'staging' || (await anyBusiness(context.db))) return null
  const { id: businessId } = await createBusiness(context, DEMO_SHOP)
  for (const address of LOOPBACK) await allowIp(context, { businessId, address })
  return newDemoCredentials(context, businessId, { username: DEMO_EMAIL, hashed: ownerPassword })
}

/**
 * Creates a user, a client, a key and tokens, in addition to those of other data directories. Only the newest sets stay
 * valid, because nobody may know the older ones any more.
 */
export async function newDemoCredentials(
  context: WithTransaction<DemoContext, Tx>,
  businessId: string,
  owner: { username?: string; hashed?: HashedPassword | undefined } = {},
): Promise<DemoCredentials> {
  const { username = `owner-${newId().slice(-8)}@shop.example`, hashed } = owner
  const { userId, password } = await createUser(context, { email: username, name: 'Demo Owner', hashed })
  await insertMember(context.db, { businessId, userId, at: context.clock.now() })
  const { client, clientSecret } = await createClient(context, {
    businessId,
    name: DEMO_CLIENT_NAME,
    redirectUrl: DEMO_REDIRECT_URL,
  })
  await revokeOldClients(context.db, {
    businessId,
    name: DEMO_CLIENT_NAME,
    kept: SETS_MAX,
    at: context.clock.now(),
  })
  const pair = newTokenPair()
  await startFamily(context, { pair, businessId, clientId: client.id, userId })
  return {
    base_url: context.baseUrl,
    dashboard_url: context.dashboardUrl,
    business_id: businessId,
    client_id: client.id,
    client_secret: clientSecret,
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
    username,
    password,
    redirect_url: DEMO_REDIRECT_URL,
    api_key: await newDemoKey(context, businessId),
    webhook_secret: null,
  }
}

/** Creates a key. Earlier keys keep working, because another process may use them. */
export async function newDemoKey(context: WithTransaction<AccessContext, Tx>, businessId: string): Promise<string> {
  const { key } = await createApiKey(context, { businessId, name: DEMO_KEY_NAME, allowedIps: LOOPBACK })
  await revokeOldApiKeys(context.db, { businessId, name: DEMO_KEY_NAME, kept: SETS_MAX, at: context.clock.now() })
  return key
}

const DEMO_SHOP = {
  name: 'Demo Shop',
  currency: 'USD',
  country: 'US',
  timeZone: 'America/New_York',
  supportEmail: 'support@shop.example',
  termsUrl: 'https://shop.example/terms',
  privacyUrl: 'https://shop.example/privacy',
} as const
