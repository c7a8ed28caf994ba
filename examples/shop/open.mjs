// npm run shop: registers the shop with the Rialto that runs on this machine (once), then opens it.
import { spawnSync } from 'node:child_process'
import { CREDENTIALS_FILE, DEMO_FILE, ROOT, readJson, SHOP_URL, writeJson } from './settings.mjs'

if (process.env.SHOP_CREDENTIALS || isRegistered() || register()) await import('./shop.mjs')

/** With this Rialto, its secret key, and under this address: each may have changed since the last time. */
function isRegistered() {
  const [demo, shop] = [readJson(DEMO_FILE), readJson(CREDENTIALS_FILE)]
  if (!demo || !shop) return false
  const isSame = ['business_id', 'base_url', 'api_key'].every((field) => shop[field] === demo[field])
  return isSame && shop.redirect_url === SHOP_URL
}

/** What an operator does by hand: npm run clients -- create … */
function register() {
  const demo = readJson(DEMO_FILE)
  if (!demo) return fail(`There is no ${DEMO_FILE}. Start Rialto first, in another terminal: npm start`)
  const { business_id, username, base_url, api_key } = demo
  const options = { business: business_id, name: 'Example shop', 'redirect-url': SHOP_URL, user: username }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['server/main.ts', 'clients', 'create', ...Object.entries(options).flatMap(([name, text]) => [`--${name}`, text])],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status !== 0) return fail(`The shop could not be registered; does Rialto run (npm start)?\n${stderr}`)
  const printed = Object.fromEntries([...stdout.matchAll(/^(\w+)\s+(\S+)$/gm)].map(([, name, value]) => [name, value]))
  const { client_id, client_secret, access_token, refresh_token } = printed
  const client = { client_id, client_secret, access_token, refresh_token }
  // The tea club uses the merchant API. A shop of its own gets a secret key by: npm run keys -- create …
  writeJson(CREDENTIALS_FILE, { base_url, business_id, redirect_url: SHOP_URL, api_key, ...client })
  return true
}

function fail(text) {
  console.error(text)
  process.exitCode = 1
  return false
}
