import { createClient } from '../../server/access/clients/create-client.ts'
import { createApiKey } from '../../server/access/keys/create-api-key.ts'
import { createUser } from '../../server/access/people/create-user.ts'
import { insertMember } from '../../server/access/people/user-queries.ts'
import { allowIp } from '../../server/access/shared/allowed-ip.ts'
import { startFamily } from '../../server/access/tokens/issue-tokens.ts'
import { newTokenPair } from '../../server/access/tokens/token.ts'
import { createBusiness, type NewBusiness } from '../../server/businesses/create-business.ts'
import { transaction } from '../../server/db/transaction.ts'
import type { DemoCredentials } from '../../server/demo/demo-file.ts'
import { newId } from '../../server/lib/ids.ts'
import { type Merchant, merchantOf } from './merchant.ts'
import { ownerPassword } from './owner-password.ts'
import type { TestService } from './service.ts'

const OTHER_SHOP = { name: 'Other Shop', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto' } as const

export interface SecondMerchant extends Merchant {
  demo: DemoCredentials
}

/**
 * Creates another business on the same service, with everything that the demo business has, to test isolation.
 *
 * @param redirectUrl the registered redirect URL of its client
 * @param shop the business itself
 */
export async function secondMerchant(
  { app, url, demo }: TestService,
  { redirectUrl = 'https://other.example', shop = OTHER_SHOP }: { redirectUrl?: string; shop?: NewBusiness } = {},
): Promise<SecondMerchant> {
  const { db, keyring, clock } = app.services
  const credentials = await transaction(db, async (tx) => {
    const context = { db: tx, keyring, clock, environment: 'staging' as const }
    const { id: businessId } = await createBusiness(context, shop)
    const owner = { email: `${newId()}@other.example`, name: 'Other Owner', hashed: await ownerPassword() }
    const { userId } = await createUser(context, owner)
    await insertMember(tx, { businessId, userId, at: clock.now() })
    const { client, clientSecret } = await createClient(context, { businessId, name: 'Other', redirectUrl })
    await allowIp(context, { businessId, address: '127.0.0.1' })
    const { key } = await createApiKey(context, { businessId, name: 'Other key', allowedIps: ['127.0.0.1'] })
    const pair = newTokenPair()
    await startFamily(context, { pair, businessId, clientId: client.id, userId })
    return {
      ...demo,
      business_id: businessId,
      client_id: client.id,
      client_secret: clientSecret,
      access_token: pair.accessToken,
      refresh_token: pair.refreshToken,
      redirect_url: redirectUrl,
      api_key: key,
    }
  })
  return { ...merchantOf({ url, demo: credentials }), demo: credentials }
}
