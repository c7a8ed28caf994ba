// Talks to Rialto: the only file of the shop with credentials. They stay on the server.
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = process.env.SHOP_CREDENTIALS ?? new URL('../../data/shop.json', import.meta.url)
export const credentials = JSON.parse(readFileSync(FILE, 'utf8'))
const { base_url, business_id, client_id, client_secret } = credentials

/** Creates a session. The amount is the shop's, never the browser's. */
export async function createSession(cart, uiMode, shopUrl) {
  const path = uiMode === 'rapid' ? 'rapid-checkout/create' : 'checkout/create'
  const order = { amount_total: cart.total, customer_email: cart.email }
  const urls = { ui_mode: uiMode, success_url: `${shopUrl}/thanks`, cancel_url: `${shopUrl}/` }
  const { checkout_session } = await call(
    'POST',
    path,
    uiMode === 'rapid' ? order : { ...order, ...urls, line_items: cart.items },
  )
  return checkout_session
}

/** What became of it. A shop gives the goods only when this says COMPLETED and PAID. */
export async function sessionDetails(sessionToken) {
  return call('GET', `checkout/${encodeURIComponent(sessionToken)}/details`)
}

async function call(method, path, body, isSecondTry = false) {
  const response = await fetch(`${base_url}/api/${business_id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${credentials.access_token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  // Access tokens live for a day.
  if (response.status === 401 && !isSecondTry) {
    await refresh()
    return call(method, path, body, true)
  }
  const answer = await response.json()
  if (!response.ok) throw Object.assign(new Error(answer.message), { status: response.status })
  return answer
}

/** A refresh token is good once: the new one is kept before anything else happens. */
async function refresh() {
  const response = await fetch(`${base_url}/api/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'refresh_token',
      refresh_token: credentials.refresh_token,
      client_id,
      client_secret,
      redirect_uri: '',
      scope: '',
    }),
  })
  if (!response.ok) throw new Error(`The refresh token is no longer good. Delete ${FILE} and start the shop again.`)
  const { access_token, refresh_token } = await response.json()
  Object.assign(credentials, { access_token, refresh_token })
  writeFileSync(FILE, JSON.stringify(credentials, null, 2), { mode: 0o600 })
}
