/** Pages of the objects to which events and audit entries refer. */
const FOLDERS: Record<string, string> = {
  payment: 'payments',
  customer: 'customers',
  subscription: 'subscriptions',
  checkout_session: 'sessions',
  product: 'products',
  batch: 'batches',
  contract: 'contracts',
  event: 'events',
  webhook_endpoint: 'webhooks',
}

/** Objects that are shown on the page of another object, with the member that names that object. */
const PARENTS: Record<string, string> = { price: 'product', payment_method: 'customer', refund: 'payment' }

interface ShownObject {
  id?: unknown
  object?: unknown
  [member: string]: unknown
}

/** Returns `payments/{id}`; `null` for an object without a page. */
export function pageOfObject(type: string, id: unknown): string | null {
  const folder = FOLDERS[type]
  return folder && typeof id === 'string' ? `${folder}/${id}` : null
}

/** Returns the page of an event's object. A checkout session does not have a member `object`. */
export function pageOfEvent({ id, object, ...rest }: ShownObject): string | null {
  const type = typeof object === 'string' ? object : 'session_status' in rest ? 'checkout_session' : ''
  const parent = PARENTS[type]
  return parent === undefined ? pageOfObject(type, id) : pageOfObject(parent, rest[parent])
}
