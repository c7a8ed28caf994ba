import { randomBytes } from 'node:crypto'
import type { Insertable } from 'kysely'
import { businessNow } from '../../server/businesses/business.ts'
import { findBusiness } from '../../server/businesses/business-queries.ts'
import type { DB } from '../../server/db/tables.ts'
import { newId } from '../../server/lib/ids.ts'
import { sealValue } from '../../server/three-d-secure/sealed-card.ts'
import { Secret } from '../../server/vault/secret.ts'
import { CARDS } from './card-numbers.ts'
import { setBusiness } from './recorded.ts'
import type { TestService } from './service.ts'

/** Result of a payer's run of 3-D Secure, for a card, an amount and a session. */
interface Authenticated {
  token: string
  number?: string
  /** Amount in cents; by default the 25.50 of a session of tests. */
  amount?: number
  currency?: string
  transStatus?: 'Y' | 'A'
  /** Base64 of 20 bytes. */
  cavv?: string
  /** Other columns of the table. */
  row?: Partial<Insertable<DB['authentication']>>
}

/** What writing an authentication takes of a service, which may be another process. */
export interface AuthenticationParts {
  app: { services: Pick<TestService['app']['services'], 'db' | 'clock' | 'keyring' | 'vault' | 'sessionTokens'> }
}

/** A service, and a business of it. */
interface BusinessOf {
  app: { services: Pick<TestService['app']['services'], 'db' | 'clock'> }
  demo: Pick<TestService['demo'], 'business_id'>
}

export interface MadeAuthentication {
  id: string
  /** `ddd_session_id`, which a pay request may name. */
  dddSessionId: string
  cavv: string
  dsTransactionId: string
}

/** Writes an authenticated payer into the database, without a run of 3-D Secure. */
export async function authenticated(
  { app }: AuthenticationParts,
  {
    token,
    number = CARDS.visa,
    amount = 2_550,
    currency = 'USD',
    transStatus = 'Y',
    row = {},
    ...given
  }: Authenticated,
): Promise<MadeAuthentication> {
  const { services } = app
  const place = services.sessionTokens.open(token)
  if (place === null) throw new Error('The session token is wrong')
  const { businessId, id: sessionId } = place
  const id = newId()
  const { cavv = randomBytes(20).toString('base64') } = given
  const dsTransactionId = crypto.randomUUID()
  const at = await businessTime({ app, demo: { business_id: businessId } })
  await services.db
    .insertInto('authentication')
    .values({
      business_id: businessId,
      id,
      session_id: sessionId,
      state: 'AUTHENTICATED',
      source: 'new_card',
      card_fingerprint: services.vault.fingerprint(businessId, new Secret(number)).value,
      amount,
      currency,
      sealed_value: row.state === undefined ? sealValue(services.keyring, id, new Secret(cavv)) : null,
      server_transaction_id: crypto.randomUUID(),
      ds_transaction_id: dsTransactionId,
      message_version: '2.2.0',
      trans_status: transStatus,
      eci: eciOf(number, transStatus),
      created_at: at,
      expires_at: new Date(at.getTime() + 15 * 60_000),
      decided_at: at,
      ...row,
    })
    .execute()
  return { id, dddSessionId: `ddd_${id}`, cavv, dsTransactionId }
}

/** The business's time, which a test clock moves. */
export async function businessTime({ app: { services }, demo }: BusinessOf): Promise<Date> {
  const business = await findBusiness(services.db, demo.business_id)
  if (!business) throw new Error('There is no such business')
  return businessNow(services.clock, business)
}

function eciOf(number: string, transStatus: 'Y' | 'A'): string {
  if (number.startsWith('5')) return transStatus === 'Y' ? '02' : '01'
  return transStatus === 'Y' ? '05' : '06'
}

/** Switches 3-D Secure on for the demo business, for all payments or for those above an amount in cents. */
export const requireThreeDs = (service: Pick<TestService, 'app' | 'demo'>, above: number | null = null) =>
  setBusiness(service, { three_ds_enabled: true, three_ds_above: above })

export const dropThreeDs = (service: Pick<TestService, 'app' | 'demo'>) =>
  setBusiness(service, { three_ds_enabled: false })
