/** The pages of the objects that events and audit entries are about. */
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

/** Those that are shown on the page of another object, by the member that names it. */
const PARENTS: Record<string, string> = { price: 'product', payment_method: 'customer', refund: 'payment' }

interface ShownObject {
  id?: unknown
  object?: unknown
  [member: string]: unknown
}

/** `payments/{id}`; `null` for what has no page. */
export function pageOfObject(type: string, id: unknown): string | null {
  const folder = FOLDERS[type]
  return folder && typeof id === 'string' ? `${folder}/${id}` : null
}

/** The page of the object of an event. A checkout session has no member `object`. */
export function pageOfEvent({ id, object, ...rest }: ShownObject): string | null {
  const type = typeof object === 'string' ? object : 'session_status' in rest ? 'checkout_session' : ''
  const parent = PARENTS[type]
  return parent === undefined ? pageOfObject(type, id) : pageOfObject(parent, rest[parent])
}
