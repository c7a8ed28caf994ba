import { EXAMPLE_CREDENTIALS, EXAMPLE_IDS, EXAMPLE_SESSION_TOKEN } from '../../contract/example-ids.ts'
import { startFamily } from '../../server/access/tokens/issue-tokens.ts'
import { newTokenPair } from '../../server/access/tokens/token.ts'
import { transaction } from '../../server/db/transaction.ts'
import { newId } from '../../server/lib/ids.ts'
import { merchantOf } from './merchant.ts'
import { merchantApiOf } from './merchant-api.ts'
import { makeObjects } from './merchant-objects.ts'
import type { TestService } from './service.ts'
import { makeAuthentication } from './three-ds.ts'

/** Real objects in place of the ids in the examples of the OpenAPI document. */
export interface DocumentedWorld {
  /** Replaces the ids of the examples in the text by real ids. */
  real(text: string): string
  /** Credential by security scheme of the document. */
  credentials: Record<string, string>
}

/** The pause that an example requires, by the name of its operation. */
const PAUSED: Record<string, object> = {
  undoSubscriptionPause: { mode: 'period_end' },
  previewSubscriptionResume: { unused_time_behavior: 'preserve_time' },
  resumeSubscription: { unused_time_behavior: 'preserve_time' },
}

/** Names of operations whose examples need objects in a state of their own. */
export const NEEDS_OWN_WORLD = [...Object.keys(PAUSED), 'createVoid']

/**
 * Creates new objects, because an example may use up its object.
 *
 * @param operationId operation of the example, whose objects are in the state that it requires
 */
export async function makeDocumentedWorld(service: TestService, operationId?: string): Promise<DocumentedWorld> {
  const { demo } = service
  const tokens = await newTokens(service)
  const objects = await makeObjects(service)
  const api = merchantApiOf(service)
  // The payment of the objects has a refund, so it cannot be voided.
  const { customers: customer, payment_methods: payment_method, prices: price } = objects
  const isVoided = operationId === 'createVoid'
  const anew = isVoided ? await api.made('/subscriptions', { customer, payment_method, price }) : null
  const payment = anew?.latest_payment ?? objects.payments
  const pause = PAUSED[operationId ?? '']
  if (pause) await api.post(`/subscriptions/${objects.subscriptions}/pause`, pause)
  const created = await merchantOf(service).createSession({ customer_email: `${newId()}@example.com` })
  const { id: session, token } = created.body.checkout_session
  const authentication = await makeAuthentication(service, token)
  const places: [example: string, real: string][] = [
    [EXAMPLE_IDS.business, demo.business_id],
    [EXAMPLE_IDS.client, demo.client_id],
    [EXAMPLE_IDS.customer, objects.customers],
    [EXAMPLE_IDS.paymentMethod, objects.payment_methods],
    [EXAMPLE_IDS.product, objects.products],
    [EXAMPLE_IDS.price, objects.prices],
    [EXAMPLE_IDS.subscription, objects.subscriptions],
    [EXAMPLE_IDS.payment, payment],
    [EXAMPLE_IDS.refund, objects.refunds],
    [EXAMPLE_IDS.batch, objects.batches],
    [EXAMPLE_IDS.webhookEndpoint, objects.webhook_endpoints],
    [EXAMPLE_IDS.event, objects.events],
    [EXAMPLE_IDS.session, session],
    [EXAMPLE_IDS.authentication, authentication],
    [EXAMPLE_SESSION_TOKEN, token],
    [EXAMPLE_CREDENTIALS.accessToken, tokens.access_token],
    [EXAMPLE_CREDENTIALS.refreshToken, tokens.refresh_token],
    [EXAMPLE_CREDENTIALS.clientSecret, demo.client_secret],
  ]
  return {
    real: (text) => places.reduce((made, [example, real]) => made.replaceAll(example, real), text),
    credentials: { accessToken: demo.access_token, secretKey: demo.api_key },
  }
}

/** Returns tokens that may be used up and revoked, without the check of a password. */
async function newTokens({ app, demo }: TestService): Promise<{ access_token: string; refresh_token: string }> {
  const { db, keyring, clock } = app.services
  const { business_id: businessId, client_id: clientId } = demo
  const members = db.selectFrom('business_member').select('user_id').where('business_id', '=', businessId)
  const { user_id: userId } = await members.where('role', '=', 'owner').executeTakeFirstOrThrow()
  const pair = newTokenPair()
  await transaction(db, (tx) => startFamily({ db: tx, keyring, clock }, { pair, businessId, clientId, userId }))
  return { access_token: pair.accessToken, refresh_token: pair.refreshToken }
}
