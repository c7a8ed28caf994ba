// npm run shop: registers the shop with the Rialto that runs on this machine (once), then opens it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DEMO = `${ROOT}data/demo.json`
const CREDENTIALS = process.env.SHOP_CREDENTIALS ?? `${ROOT}data/shop.json`
const PORT = process.env.SHOP_PORT ?? 4003

if (existsSync(CREDENTIALS) || register()) await import('./shop.mjs')

/** What an operator does by hand: npm run clients -- create … */
function register() {
  if (!existsSync(DEMO)) return fail('Start Rialto first, in another terminal: npm start')
  const { business_id, username, base_url, dashboard_url } = JSON.parse(readFileSync(DEMO, 'utf8'))
  const options = {
    business: business_id,
    name: 'Example shop',
    'redirect-url': `http://localhost:${PORT}`,
    user: username,
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['server/main.ts', 'clients', 'create', ...Object.entries(options).flatMap(([name, text]) => [`--${name}`, text])],
    { cwd: ROOT, encoding: 'utf8' },
  )
  if (status !== 0) return fail(`The shop could not be registered; does Rialto run (npm start)?\n${stderr}`)
  const printed = Object.fromEntries([...stdout.matchAll(/^(\w+)\s+(\S+)$/gm)].map(([, name, value]) => [name, value]))
  const { client_id, client_secret, access_token, refresh_token } = printed
  const credentials = { base_url, dashboard_url, business_id, client_id, client_secret, access_token, refresh_token }
  writeFileSync(CREDENTIALS, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  return true
}

function fail(text) {
  console.error(text)
  process.exitCode = 1
  return false
}
