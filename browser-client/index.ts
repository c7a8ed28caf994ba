import { makeServiceCheckout } from './service-checkout.ts'

/** The same object as the script tag's global, for bundlers. Importing it does nothing, on a server too. */
export const ServiceCheckout = /* @__PURE__ */ makeServiceCheckout()
export { ServiceCheckoutError } from './errors.ts'
export type * from './types.ts'
