import Type, { type Static } from 'typebox'
import { OneOf, Uuid } from '../formats.ts'

/** An object with its own page, to which something else refers. */
export const About = Type.Object({
  type: OneOf(['payment', 'subscription', 'customer', 'contract', 'product', 'checkout_session', 'webhook_endpoint']),
  id: Uuid(),
})
export type About = Static<typeof About>
