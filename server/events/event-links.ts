import type { NewEvent } from './event.ts'

// A link in the object of a subscription gives access as its customer, so it is not stored with the event. It depends
// only on its object, and is created again wherever the event is shown to the merchant's own servers (EVT-110).

/** Returns the link of a subscription or a contract. */
export type LinkOf = (object: { businessId: string; id: string }) => string

/** Placeholder for a link in a stored event. */
const REMOVED = '{link}'

interface Linked {
  id?: string
  checkout_url?: string | null
  contract?: { id: string; url: string | null } | null
}

type Data = NewEvent['data']

/** Returns the data of an event as it is stored. */
export const withoutLinks = (data: Data): Data => mapLinks(data, () => REMOVED)

/** Returns the stored data of an event with its links. @param linkOf `null` where nobody may act for the customer */
export const withLinks = (data: Data, businessId: string, linkOf: LinkOf | null): Data =>
  mapLinks(data, (id) => linkOf?.({ businessId, id }) ?? null)

function mapLinks(data: Data, change: (id: string) => string | null): Data {
  const object = data.object as Linked
  const before = data.previous_attributes as Linked | undefined
  if (!hasLink(object) && !(before && hasLink(before))) return data
  const changed = (one: Linked): Linked => ({
    ...one,
    ...(one.checkout_url && { checkout_url: change(object.id ?? '') }),
    ...(one.contract?.url && { contract: { ...one.contract, url: change(one.contract.id) } }),
  })
  return { ...data, object: changed(object), ...(before && { previous_attributes: changed(before) }) }
}

const hasLink = ({ checkout_url: url, contract }: Linked) => Boolean(url || contract?.url)
