// The npm package: the same object as the script tag's global. The import has no effect, on a server too.

export { ServiceCheckoutError } from './errors.ts'
export { ServiceCheckout } from './service-checkout.ts'
export type * from './types.ts'
