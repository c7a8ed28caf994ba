// npm run shop: registers the shop with a running Rialto (once), then opens it.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const port = process.env.SHOP_PORT ?? 4003
const data = (name) => `${root}data/${name}.json`

if (!existsSync(data('demo'))) {
  console.error('Start Rialto first, in another terminal: npm start')
  process.exit(1)
}
if (!existsSync(data('shop'))) register()
await import('./shop.mjs')

/** What the operator would do by hand: npm run clients -- create … */
function register() {
  const demo = JSON.parse(readFileSync(data('demo'), 'utf8'))
  const options = [
    '--business',
    demo.business_id,
    '--name',
    'Example shop',
    '--redirect-url',
    `http://localhost:${port}`,
    '--user',
    demo.username,
  ]
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/main.ts', 'clients', 'create', ...options], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const made = Object.fromEntries([...stdout.matchAll(/^(\w+)\s+(\S+)$/gm)].map(([, name, value]) => [name, value]))
  const { base_url, dashboard_url } = demo
  const { business_id, client_id, client_secret, access_token, refresh_token } = made
  const credentials = { base_url, dashboard_url, business_id, client_id, client_secret, access_token, refresh_token }
  writeFileSync(data('shop'), JSON.stringify(credentials, null, 2), { mode: 0o600 })
}
