// Talks to Rialto: the only file of the shop with credentials. They stay on the server.
import { CREDENTIALS_FILE, readJson, SHOP_URL, writeJson } from './settings.mjs'

const TIMEOUT_MS = 20_000
const credentials = readJson(CREDENTIALS_FILE)
export const { base_url, business_id } = credentials

/**
 * Creates the session that pays an order. Amount, currency and customer are the shop's, never the browser's.
 *
 * @param customer of the shop's account. With `customer_id` the payer sees the cards kept there, so it may only be that of
 *   the person who is signed in: never one found by an e-mail that somebody typed.
 */
export async function createSession(order, customer, uiMode) {
  const { amount, currency, items, id } = order
  const { checkout_session } =
    uiMode === 'rapid'
      ? await call('POST', 'rapid-checkout/create', {
          amount_total: amount,
          currency,
          customer_email: customer.email,
        })
      : await call('POST', 'checkout/create', {
          amount_total: amount,
          currency,
          line_items: items,
          client_reference_id: id,
          ...(customer.rialtoId ? { customer_id: customer.rialtoId } : { customer_email: customer.email }),
          customer_name: customer.name,
          ui_mode: uiMode,
          success_url: `${SHOP_URL}/thanks`,
          cancel_url: `${SHOP_URL}/`,
        })
  return checkout_session
}

/** What became of a session: by the token that a payer brings back, or by the id that the shop kept. */
export function sessionDetails(tokenOrId) {
  return call('GET', `checkout/${encodeURIComponent(tokenOrId)}/details`)
}

/**
 * The merchant API, by secret key.
 *
 * @throws Error with `status` and `code`
 */
export async function callMerchantApi(method, path, body) {
  const response = await fetch(`${base_url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${credentials.api_key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const result = await response.json()
  if (!response.ok)
    throw Object.assign(new Error(result.error.message), { status: response.status, code: result.error.code })
  return result
}

async function call(method, path, body, isSecondTry = false) {
  const { access_token } = credentials
  const response = await fetch(`${base_url}/api/${business_id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  // Access tokens live for a day.
  if (response.status === 401 && !isSecondTry) {
    if (credentials.access_token === access_token) await refreshOnce()
    return call(method, path, body, true)
  }
  const result = await response.json()
  if (!response.ok) throw Object.assign(new Error(result.message), { status: response.status })
  return result
}

let refreshing = null

/** A refresh token is good once: calls that find the access token expired at the same time share one refresh. */
function refreshOnce() {
  refreshing ??= refresh().finally(() => {
    refreshing = null
  })
  return refreshing
}

async function refresh() {
  const { client_id, client_secret, refresh_token } = credentials
  const response = await fetch(`${base_url}/api/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token,
      client_id,
      client_secret,
      redirect_uri: '',
      scope: '',
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) {
    throw new Error(`The refresh token no longer works. Delete ${CREDENTIALS_FILE} and start the shop again.`)
  }
  const tokens = await response.json()
  // Kept before anything else happens: the old pair is used up.
  Object.assign(credentials, { access_token: tokens.access_token, refresh_token: tokens.refresh_token })
  writeJson(CREDENTIALS_FILE, credentials)
}
