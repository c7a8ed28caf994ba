import { secureUrl } from './checkout-url.ts'
import { invalid } from './errors.ts'
import type { InitOptions } from './types.ts'

type Check = (value: never) => unknown

const isText: Check = (value: unknown) => value && typeof value === 'string'
const isFunction: Check = (value: unknown) => typeof value === 'function'

/** A secret key in a browser is refused before anything is sent. */
export const isToken = (value: unknown) => isText(value as never) && !(value as string).startsWith('rc_sk_')

const CHECKS: Record<string, Check> = {
  businessId: isText,
  apiBaseUrl: secureUrl,
  checkoutOrigin: secureUrl,
  containerId: isText,
  verifySessionUrl: isText,
  locale: isText,
  fetchSession: isFunction,
  onReady: isFunction,
  onSuccess: isFunction,
  onCancel: isFunction,
  onError: isFunction,
  authToken: (value) => isFunction(value) || isToken(value),
  defaultUiMode: (value) => /^(hosted|embedded|rapid)$/.test(value),
  colorScheme: (value) => /^(light|dark)$/.test(value),
  autoVerify: (value: unknown) => typeof value === 'boolean',
}

/** @throws ServiceCheckoutError `invalid_options` naming the first wrong one */
export function checkOptions(options: InitOptions): void {
  const given: Record<string, unknown> = { businessId: '', apiBaseUrl: '', ...options }
  for (const [name, value] of Object.entries(given)) {
    const isGood = CHECKS[name]
    // biome-ignore lint/suspicious/noConsole: a misspelt option would otherwise do nothing, silently.
    if (!isGood) console.warn(`ServiceCheckout: unknown option ${name}`)
    else if (value !== undefined && !isGood(value as never)) throw invalid(name)
  }
}
