import { formOrigin, secureUrl } from './checkout-url.ts'
import { invalid } from './invalid.ts'
import type { InitOptions } from './types.ts'
import { warn } from './warn.ts'

/** @throws ServiceCheckoutError `invalid_options` naming the first wrong one. Which modes there are is for the API to say. */
export function checkOptions(options: InitOptions): void {
  const { businessId, apiBaseUrl, authToken, checkoutOrigin } = options
  if (!businessId) throw invalid('businessId')
  if (!secureUrl(apiBaseUrl)) throw invalid('apiBaseUrl')
  formOrigin(checkoutOrigin)
  if (typeof authToken === 'string') checkToken(authToken)
  for (const name of Object.keys(options)) if (!NAMES.includes(name)) warn(`no option ${name}. Is it ${nearest(name)}?`)
}

/**
 * A secret key in a browser is refused before anything is sent. An access token works and is warned of: whoever reads the page
 * could charge every stored card with it.
 *
 * @throws ServiceCheckoutError `invalid_options`
 */
export function checkToken(token: string): void {
  if (/^rc_sk_/.test(token)) throw invalid('authToken')
  if (!/^rc_bt_/.test(token)) warn('authToken is not a browser token (rc_bt_…): never put an access token in a page')
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

/** The name that takes the fewest letters added, dropped or changed. */
function nearest(name: string): string {
  const distances = NAMES.map((known) => distance(name.toLowerCase(), known.toLowerCase()))
  return NAMES[distances.indexOf(Math.min(...distances))] as string
}

/** Levenshtein's. */
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
