import Type, { type Static } from 'typebox'
import { OneOf, Uuid } from '../formats.ts'

/** An object with a page of its own, which something is about. */
export const About = Type.Object({
  type: OneOf(['payment', 'subscription', 'customer', 'contract', 'product', 'checkout_session', 'webhook_endpoint']),
  id: Uuid(),
})
export type About = Static<typeof About>
