import { AccountResponse } from '../../../contract/account.ts'
import { EXAMPLE_IDS } from '../../../contract/example-ids.ts'
import { findBusinessCreatedAt } from '../../businesses/business-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Route, type RouteDocument, route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import type { KeyCaller } from './api-key.ts'
import type { MerchantApi } from './merchant-api.ts'

/** Returns the route that shows the business and the key behind a secret key. */
export function accountRoute({ db, shared }: MerchantApi): Route {
  return route({
    ...shared,
    method: 'GET',
    path: '/api/v1/account',
    scope: null,
    document: DOCUMENT,
    handle: async ({ caller }) => ({ body: await accountOf(db, caller) }),
  })
}

async function accountOf(db: Db, { business, keyId, keyName, lastFour }: KeyCaller): Promise<AccountResponse> {
  const createdAt = await findBusinessCreatedAt(db, business.id)
  if (createdAt === null) throw new Error(`The business of key ${keyId} does not exist`)
  return {
    data: {
      object: 'account',
      business_id: business.id,
      business_name: business.name,
      api_key_id: keyId,
      api_key_name: keyName,
      api_key_last_four: lastFour,
      created: epochSeconds(createdAt),
    },
  }
}

const DOCUMENT: RouteDocument = {
  name: 'retrieveAccount',
  group: 'Account',
  summary: 'Retrieve the account',
  description: 'Returns the business that the key belongs to, and the key itself. Use it to check that a key works.',
  responses: {
    200: {
      description: 'The account.',
      body: AccountResponse,
      example: {
        data: {
          object: 'account',
          business_id: EXAMPLE_IDS.business,
          business_name: 'Demo Shop',
          api_key_id: EXAMPLE_IDS.apiKey,
          api_key_name: 'Demo key',
          api_key_last_four: '7K2M',
          created: 1_759_392_046,
        },
      },
    },
  },
}
