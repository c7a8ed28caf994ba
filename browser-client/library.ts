import { ServiceCheckoutError } from './errors.ts'
import { destroyCheckout, type OpenCheckout } from './open-checkout.ts'
import type { CheckoutHandle, CheckoutOutcome, ErrorCode, InitOptions, ReturnOutcome, UiMode } from './types.ts'

// What the library knows between two calls. It stays in a closure: no script of the page can read the token from it.

export interface Library {
  /** Of this script; without it the options decide. */
  defaultUiMode: UiMode | undefined
  /** Where the script came from: stands for `apiBaseUrl` on a page that never calls `init`. */
  scriptUrl: string | undefined
  options: InitOptions | undefined
  pending: PendingCreate | undefined
  /** In the page; those that are closing are hidden already. */
  live: Set<OpenCheckout>
  returned: Promise<ReturnOutcome | null> | undefined
}

interface PendingCreate {
  /** The data: React's StrictMode mounts twice and means one session. */
  key: string
  stopping: AbortController
  promise: Promise<CheckoutHandle>
}

export function refusal(code: ErrorCode, message: string): ServiceCheckoutError {
  return new ServiceCheckoutError(code, message)
}

/** The form that the payer sees. One that the page has thrown out with its container is destroyed here. */
export function shownCheckout({ live }: Library): OpenCheckout | undefined {
  const shown = [...live].find(({ isClosing }) => !isClosing)
  if (!shown || shown.frame.element.isConnected) return shown
  destroyCheckout(shown)
}

/** Calls back in a microtask. What goes wrong in the merchant's function is reported, and changes nothing here. */
export function callBack<Data>(
  library: Library,
  name: 'onReady' | 'onSuccess' | 'onCancel' | 'onError',
  data: Data,
): void {
  const options = library.options as Partial<Record<typeof name, (data: Data) => void>> | undefined
  Promise.resolve(data)
    .then((given) => options?.[name]?.(given))
    .catch(reportError)
}

export function deliver(library: Library, { status, data }: CheckoutOutcome): void {
  callBack(library, status === 'succeeded' ? 'onSuccess' : status === 'canceled' ? 'onCancel' : 'onError', data)
}
