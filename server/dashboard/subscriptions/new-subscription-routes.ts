import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { DashboardSubscriptionCreate } from '../../../contract/dashboard/subscriptions-api.ts'
import type { Business } from '../../businesses/business.ts'
import { createCustomer } from '../../customers/create-customer.ts'
import { transaction } from '../../db/transaction.ts'
import type { Route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUnsigned, requireSigned } from '../../subscriptions/contract.ts'
import { linkContract } from '../../subscriptions/contracts/change-contract.ts'
import { findContract } from '../../subscriptions/contracts/contract-queries.ts'
import { createSubscription } from '../../subscriptions/create/create-subscription.ts'
import { planSubscription } from '../../subscriptions/create/plan-subscription.ts'
import { readCurrentSubscription } from '../../subscriptions/lifecycle/change-subscription.ts'
import { conflict } from '../../subscriptions/subscription.ts'
import { findSubscription } from '../../subscriptions/subscription-queries.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { requirePreview } from '../preview-hash.ts'
import { askedSubscription, previewNewSubscription } from './new-subscription.ts'
import { readSubscriptionPage } from './subscription-page.ts'
import type { SubscriptionServices } from './subscription-routes.ts'

/** Returns the routes that create and preview a subscription. */
export function newSubscriptionRoutes(dashboard: DashboardRoutes, services: SubscriptionServices): Route[] {
  return [
    dashboard.preview('POST /subscriptions/preview', {
      permission: 'subscriptions.write',
      body: DashboardSubscriptionCreate,
      async handle({ member: { business }, body }) {
        const { contract, customer } = body
        if (contract !== undefined && customer !== undefined)
          await checkContract(services, contract, askedSubscription(business, body))
        return { body: await previewNewSubscription(services, business, body) }
      },
    }),
    dashboard.once('POST /subscriptions', {
      permission: 'subscriptions.write',
      action: 'subscription.create',
      body: DashboardSubscriptionCreate,
      asks: ({ body: { preview_hash, ...after } }, id) => ({ object: { type: 'subscription', id }, after }),
      withoutSecrets: (page) => ({ ...page, checkout_url: null }),
      async recover({ member: { business } }, id) {
        if (!(await findSubscription(services.db, business.id, id))) return null
        return { status: 201, body: await pageOf(services, business, id) }
      },
      async handle({ member: { business }, body }, id) {
        if (body.preview_hash !== undefined)
          requirePreview(body.preview_hash, await previewNewSubscription(services, business, body))
        return { status: 201, body: await create(services, { business, body, id }) }
      },
    }),
  ]
}

interface Wanted {
  business: Business
  body: DashboardSubscriptionCreate
  /** Id for the new subscription. */
  id: string
}

/**
 * Creates the subscription. Without a card nothing is charged, and customer, price, subscription and contract are
 * written in one transaction.
 */
async function create(services: SubscriptionServices, wanted: Wanted): Promise<SubscriptionPage> {
  const { business, body, id } = wanted
  if (body.payment_method !== undefined) return createWithCard(services, wanted)
  return transaction(services.db, async (tx) => {
    const within = { ...services, db: tx }
    const { new_customer: input, contract } = body
    const made = input && (await createCustomer(within, { business, input }))
    await createSubscription(within, { ...askedSubscription(business, body, made?.customer.id), id })
    if (contract !== undefined) await linkContract(within, { business, id: contract, subscriptionId: id })
    return pageOf(within, business, id)
  })
}

/** Creates a subscription that charges its card. The contract is checked before the charge, and linked after it. */
async function createWithCard(
  services: SubscriptionServices,
  { business, body, id }: Wanted,
): Promise<SubscriptionPage> {
  const { contract } = body
  const asked = { ...askedSubscription(business, body), id }
  if (contract !== undefined) await checkContract(services, contract, asked)
  await createSubscription(services, asked)
  if (contract !== undefined) await linkContract(services, { business, id: contract, subscriptionId: id })
  return pageOf(services, business, id)
}

async function checkContract(
  services: SubscriptionServices,
  id: string,
  asked: ReturnType<typeof askedSubscription>,
): Promise<void> {
  const { business, input } = asked
  const contract = await findUnlinked(services, { business, id, customer: input.customer })
  const { first } = await planSubscription(services, asked)
  if (first === 'charge') requireSigned({ subscription: { contractId: id }, contract })
}

/**
 * Returns the page of the new subscription. If it waits for a card, the page has the link, because the person who
 * creates it hands the link over.
 */
async function pageOf(services: SubscriptionServices, business: Business, id: string): Promise<SubscriptionPage> {
  const loaded = await readCurrentSubscription(services, { business, id })
  const isWaiting = loaded.subscription.status === 'pending_payment_method'
  const page = await readSubscriptionPage(services, loaded)
  return {
    ...page,
    checkout_url: isWaiting && !isUnsigned(loaded) ? services.subscriptionLink(loaded.subscription) : null,
  }
}

/** @throws ApiError `not_found`, `conflict` */
async function findUnlinked(
  { db }: SubscriptionServices,
  { business, id, customer }: { business: Business; id: string; customer: string | undefined },
) {
  const found = await findContract(db, business.id, id)
  if (!found || found.contract.customerId !== customer)
    throw new ApiError('not_found', {
      message: 'No such contract',
      errors: { contract: ['does not exist for this customer'] },
    })
  const { contract, subscriptionId } = found
  if (subscriptionId !== null) throw conflict('The contract is linked to another subscription.')
  if (contract.status === 'void') throw conflict('The contract is void.')
  return contract
}
