import { createClient } from '../../server/access/clients/create-client.ts'
import { startFamily } from '../../server/access/tokens/issue-tokens.ts'
import { newTokenPair } from '../../server/access/tokens/token.ts'
import { transaction } from '../../server/db/transaction.ts'
import { keyContext } from './secret-key.ts'
import type { TestService } from './service.ts'

/** Creates a client of the demo business with these scopes, and tokens for a person. */
export function makeTokens(
  service: TestService,
  { userId, scopes, createdBy = null }: { userId: string; scopes?: readonly string[]; createdBy?: string | null },
) {
  const context = keyContext(service)
  const businessId = service.demo.business_id
  return transaction(context.db, async (tx) => {
    const inside = { ...context, db: tx }
    const wanted = { businessId, name: 'Scoped', redirectUrl: 'https://shop.example', scopes, createdBy }
    const { client, clientSecret } = await createClient(inside, wanted)
    const pair = newTokenPair()
    await startFamily(inside, { pair, businessId, clientId: client.id, userId })
    return { ...pair, clientId: client.id, clientSecret }
  })
}
