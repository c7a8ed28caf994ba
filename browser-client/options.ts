import { secureUrl } from './checkout-url.ts'
import { invalid } from './invalid.ts'
import type { InitOptions } from './types.ts'

/** @throws ServiceCheckoutError `invalid_options` naming the first wrong one. Which modes there are is for the API to say. */
export function checkOptions(options: InitOptions): void {
  const { businessId, apiBaseUrl, authToken } = options
  if (!businessId) throw invalid('businessId')
  if (!secureUrl(apiBaseUrl)) throw invalid('apiBaseUrl')
  if (isSecretKey(authToken)) throw invalid('authToken')
}

/** A secret key in a browser is refused before anything is sent. */
export const isSecretKey = (token: unknown) => /^rc_sk_/.test(token as string)
