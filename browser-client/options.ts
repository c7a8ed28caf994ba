import { formOrigin, secureUrl } from './checkout-url.ts'
import { invalid } from './errors.ts'
import type { InitOptions } from './types.ts'

// The merchant's options and callbacks. A page has one library, and no script of the page can read the token from it.

/** Empty before `init`, except for options from the script tag itself. */
export let options: Partial<InitOptions> = {}

export function keepOptions(given: Partial<InitOptions>): void {
  options = given
}

const CALLBACKS = { succeeded: 'onSuccess', canceled: 'onCancel', failed: 'onError', ready: 'onReady' } as const

/** Calls back in a microtask. An error in the merchant's function is reported, and has no effect here. */
export function deliver(status: keyof typeof CALLBACKS | 'pending', data: object): void {
  if (status === 'pending') return
  Promise.resolve(data as never)
    .then((given) => options[CALLBACKS[status]]?.(given))
    .catch(reportError)
}

/**
 * Checks the options. The API decides which modes exist.
 *
 * @throws ServiceCheckoutError `invalid_options` that names the first wrong one
 */
export function checkOptions(given: InitOptions): void {
  const { businessId, apiBaseUrl, authToken, checkoutOrigin } = given
  if (!businessId) throw invalid('businessId')
  if (!secureUrl(apiBaseUrl)) throw invalid('apiBaseUrl')
  formOrigin(checkoutOrigin)
  if (typeof authToken === 'string') checkToken(authToken)
  for (const name of Object.keys(given)) if (!NAMES.includes(name)) warn(`no option ${name}. Is it ${nearest(name)}?`)
}

/**
 * Checks a token. A secret key in a browser is refused before anything is sent. An access token works, with a warning:
 * anyone who reads the page could charge every stored card with it.
 *
 * @throws ServiceCheckoutError `invalid_options`
 */
export function checkToken(token: string): void {
  if (/^rc_sk_/.test(token)) throw invalid('authToken')
  if (!/^rc_bt_/.test(token)) warn('authToken is not a browser token (rc_bt_…): never put an access token in a page')
}

const said = new Set<string>()

/** Warns the merchant's engineer in the console, once per page: a component calls `init` on every render. */
function warn(text: string): void {
  if (said.has(text)) return
  said.add(text)
  // biome-ignore lint/suspicious/noConsole: a page has no other place for its engineer.
  console.warn(`ServiceCheckout: ${text}`)
}

const NAMES: string[] = Object.keys({
  businessId: 1,
  apiBaseUrl: 1,
  authToken: 1,
  fetchSession: 1,
  defaultUiMode: 1,
  containerId: 1,
  checkoutOrigin: 1,
  verifySessionUrl: 1,
  autoVerify: 1,
  locale: 1,
  colorScheme: 1,
  onReady: 1,
  onSuccess: 1,
  onCancel: 1,
  onError: 1,
} satisfies Record<keyof InitOptions, 1>)

/** Returns the option with the smallest edit distance. */
function nearest(name: string): string {
  const distances = NAMES.map((known) => distance(name.toLowerCase(), known.toLowerCase()))
  return NAMES[distances.indexOf(Math.min(...distances))] as string
}

/** Returns the Levenshtein distance. */
function distance(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()]
  for (const letter of one) {
    const next = [(row[0] as number) + 1]
    for (const [column, wanted] of [...other].entries()) {
      const changed = (row[column] as number) + Number(letter !== wanted)
      next.push(Math.min(changed, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}
