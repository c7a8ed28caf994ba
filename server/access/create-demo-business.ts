import { anyBusiness } from '../businesses/business-queries.ts'
import { createBusiness } from '../businesses/create-business.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import { allowIp } from './allowed-ip.ts'
import type { AccessContext, WithTransaction } from './context.ts'
import { createApiKey } from './create-api-key.ts'
import { createClient } from './create-client.ts'
import { createUser } from './create-user.ts'
import type { DemoCredentials } from './demo-file.ts'
import { lockDemo, revokeDemoKeys } from './demo-queries.ts'
import { startFamily } from './issue-tokens.ts'
import { newTokenPair } from './token.ts'
import { insertMember } from './user-queries.ts'

export const DEMO_EMAIL = 'owner@shop.example'
export const DEMO_REDIRECT_URL = 'https://shop.example'
const DEMO_KEY_NAME = 'Demo key'
const LOOPBACK = ['127.0.0.1', '::1']

/** The addresses of the two hosts, as they are printed for people. */
export type DemoContext = AccessContext & { baseUrl: string; dashboardUrl: string }

/**
 * Signs up «Demo Shop», so that the first call works without a form to fill in.
 *
 * @returns `null` in production, and when the database has a business already
 * @see contract 3
 */
export function createDemoBusiness(context: DemoContext): Promise<DemoCredentials | null> {
  return transaction(context.db, async (tx) => {
    await lockDemo(tx)
    return signUpDemo({ ...context, db: tx })
  })
}

/** The same within the caller's transaction, which holds the lock. */
export async function signUpDemo(context: WithTransaction<DemoContext, Tx>): Promise<DemoCredentials | null> {
  if (context.environment !== 'staging' || (await anyBusiness(context.db))) return null
  const { id: businessId } = await createBusiness(context, DEMO_SHOP)
  const { userId, password } = await createUser(context, { email: DEMO_EMAIL, name: 'Demo Owner' })
  await insertMember(context.db, { businessId, userId, at: context.clock.now() })
  const { client, clientSecret } = await createClient(context, {
    businessId,
    name: 'Demo Shop server',
    redirectUrl: DEMO_REDIRECT_URL,
  })
  for (const address of LOOPBACK) await allowIp(context, { businessId, address })
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
    username: DEMO_EMAIL,
    password,
    redirect_url: DEMO_REDIRECT_URL,
    api_key: await newDemoKey(context, businessId),
    webhook_secret: null,
  }
}

/** Ends the ones before: nobody knows them any more. */
export async function newDemoKey(context: WithTransaction<AccessContext, Tx>, businessId: string): Promise<string> {
  const { db, clock, environment } = context
  await revokeDemoKeys(db, { businessId, name: DEMO_KEY_NAME, environment, at: clock.now() })
  const { key } = await createApiKey(context, { businessId, name: DEMO_KEY_NAME, allowedIps: LOOPBACK })
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
