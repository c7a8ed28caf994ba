import { destroyCheckout, type OpenCheckout } from './open-checkout.ts'
import type { InitOptions } from './types.ts'

// What the library knows between two calls. A page has one library, and no script of the page can read the token from it.

/** Empty before `init`, but for what the script itself says. */
export let options: Partial<InitOptions> = {}

export function keepOptions(given: Partial<InitOptions>): void {
  options = given
}

/** Forms in the page; those that are closing are hidden already. */
export const live = new Set<OpenCheckout>()

/** The form that the payer sees. One that the page has thrown out with its container is destroyed here. */
export function shownCheckout(): OpenCheckout | undefined {
  const shown = [...live].find(({ isClosing }) => !isClosing)
  if (!shown || shown.frame.element.isConnected) return shown
  destroyCheckout(shown)
}

const CALLBACKS = { succeeded: 'onSuccess', canceled: 'onCancel', failed: 'onError', ready: 'onReady' } as const

/** Calls back in a microtask. What goes wrong in the merchant's function is reported, and changes nothing here. */
export function deliver(status: keyof typeof CALLBACKS | 'pending', data: object): void {
  if (status === 'pending') return
  Promise.resolve(data as never)
    .then((given) => options[CALLBACKS[status]]?.(given))
    .catch(reportError)
}
