import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importsOf, product, sources, text } from './tree.ts'

// A place may import itself and places on earlier lines; neighbours on one line must not know each other. A path
// belongs to the longest place with which it begins.

const FOLDERS = [
  ['contract'],
  ['server/lib'],
  ['server/db'],
  ['server/http', 'server/jobs'],
  ['server/audit'],
  ['server/businesses'],
  ['server/access'],
  ['server/demo', 'server/events', 'server/pdf'],
  ['server/emails'],
  ['server/vault'],
  ['server/gateway', 'server/three-d-secure', 'server/google-pay'],
  ['server/customers', 'server/catalog'],
  ['server/payments'],
  ['server/checkout'],
  ['server/subscriptions'],
  ['server/test-clock'],
  ['server/dashboard'],
  ['server/read-variables.ts', 'server/config-variables.ts'],
  ['server/config.ts', 'server/log.ts', 'server/browser-bundle'],
  ['server/server-bundle'],
  ['server/app'],
  ['server/serve'],
  ['server/main.ts'],
]

/** Subjects of the dashboard's pages: each has a folder in the server and a folder of pages. */
const DASHBOARD_AREAS = [
  'entry',
  'home',
  'payments',
  'sessions',
  'customers',
  'subscriptions',
  'calendar',
  'catalog',
  'batches',
  'contracts',
  'webhooks',
  'credentials',
  'test-tools',
  'settings',
  'team',
]

const ROOMS = [
  [['server/http'], ['server/http/openapi'], ['server/http/reference']],
  [
    ['server/access/shared'],
    ['server/access/keys'],
    ['server/access/tokens'],
    ['server/access/clients'],
    ['server/access/people'],
    ['server/access/sessions'],
    ['server/access/factors'],
    ['server/access/sign-in'],
    ['server/access/members'],
    ['server/access'],
  ],
  [['server/events'], ['server/events/webhooks'], ['server/events/delivery'], ['server/events/listen']],
  [
    ['server/emails'],
    ['server/emails/invoices'],
    ['server/emails/templates'],
    ['server/emails/compose'],
    ['server/emails/send'],
    ['server/emails/mailbox'],
  ],
  [['server/gateway'], ['server/gateway/simulator'], ['server/gateway/adapters'], ['server/gateway/contract']],
  [
    ['server/payments'],
    ['server/payments/refunds'],
    ['server/payments/voids'],
    ['server/payments/recovery'],
    ['server/payments/batches'],
    ['server/payments/charge'],
    ['server/payments/stored-card-sale'],
    ['server/payments/reconciliation'],
  ],
  [
    ['server/three-d-secure'],
    ['server/three-d-secure/simulator'],
    ['server/three-d-secure/adapters'],
    ['server/three-d-secure/contract'],
  ],
  [
    ['server/checkout/sessions'],
    ['server/checkout/pay'],
    ['server/checkout/form'],
    ['server/checkout/three-ds'],
    ['server/checkout/page'],
  ],
  [
    ['server/subscriptions/plan'],
    ['server/subscriptions'],
    ['server/subscriptions/lifecycle'],
    ['server/subscriptions/bills'],
    ['server/subscriptions/notices'],
    ['server/subscriptions/resume'],
    ['server/subscriptions/create'],
    ['server/subscriptions/contracts'],
    ['server/subscriptions/sign-up'],
  ],
  [
    ['server/dashboard/export'],
    ['server/dashboard'],
    [
      'server/dashboard/search',
      'server/dashboard/views',
      ...DASHBOARD_AREAS.filter((area) => !['customers', 'home'].includes(area)).map(
        (area) => `server/dashboard/${area}`,
      ),
    ],
    // These show objects of the others.
    ['server/dashboard/customers', 'server/dashboard/home'],
  ],
  [['dashboard/kit'], [...DASHBOARD_AREAS.map((area) => `dashboard/areas/${area}`)], ['dashboard']],
  [
    ['payment-form/messages'],
    ['payment-form/fields'],
    ['payment-form/view'],
    ['payment-form/parts', 'payment-form/browser'],
    ['payment-form'],
  ],
  [['sdk/generated'], ['sdk'], ['sdk/resources'], ['sdk/rialto.ts'], ['sdk/index.ts']],
]

/**
 * Places that know HTTP besides routes and their OpenAPI: authentication and limits by their nature, the others are
 * still to be changed.
 */
const KNOW_HTTP = [
  'server/access/access-jobs.ts',
  'server/access/clients/client-credentials.ts',
  'server/access/keys/merchant-api.ts',
  'server/access/keys/secret-key.ts',
  'server/access/oauth-model.ts',
  'server/access/page-sightings.ts',
  'server/access/people/password-grant.ts',
  'server/access/sessions/member-access.ts',
  'server/access/sessions/member-trace.ts',
  'server/access/shared/allowed-ip-queries.ts',
  'server/access/shared/one-address.ts',
  'server/access/token-request.ts',
  'server/access/tokens/bearer.ts',
  'server/access/tokens/browser-tokens.ts',
  'server/access/tokens/token-queries.ts',
  'server/checkout/form/identify-customer.ts',
  'server/checkout/pay/pay-request.ts',
  'server/checkout/pay/pay-session.ts',
  'server/checkout/sessions/session-access.ts',
  'server/checkout/three-ds/three-ds-access.ts',
  'server/dashboard/change-each.ts',
  'server/dashboard/dashboard-call.ts',
  'server/dashboard/once.ts',
  'server/read-variables.ts',
]

/**
 * Separate places: they know contract/ and themselves. Only the code that composes a service joins the form's page to
 * it.
 */
const APART = ['payment-form', 'browser-client', 'dashboard', 'sdk']
const JOINS_THE_FORM = ['server/serve/serve.ts', 'bench/service-program.ts']

/** Every import of the product as `from -> to`. */
const imports = product.flatMap((from) => importsOf(from).map((to) => ({ from, to })))
const arrow = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`
const topFolder = (path: string) => path.split('/')[0] ?? ''
const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)

function importsAgainst(order: string[][]): string[] {
  const places = order.flatMap((line, index) => line.map((place) => ({ place, index })))
  const placeOf = (path: string) =>
    places.filter(({ place }) => isIn(path, place)).sort((a, b) => b.place.length - a.place.length)[0]
  return imports
    .filter(({ from, to }) => {
      const [ours, theirs] = [placeOf(from), placeOf(to)]
      return ours && theirs && ours.place !== theirs.place && theirs.index >= ours.index
    })
    .map(arrow)
}

/**
 * Returns a circle of imports. Files are removed as long as all their imports are; every file that remains leads into a
 * circle.
 */
function findCircle(): string[] | null {
  const remaining = new Map(product.map((file) => [file, importsOf(file)]))
  const peel = () => [...remaining].filter(([, targets]) => !targets.some((target) => remaining.has(target)))
  for (let peeled = peel(); peeled.length > 0; peeled = peel()) for (const [file] of peeled) remaining.delete(file)
  const path = [...remaining.keys()].slice(0, 1)
  while (path.length > 0) {
    const next = remaining.get(path.at(-1) ?? '')?.find((target) => remaining.has(target)) ?? ''
    if (path.includes(next)) return [...path.slice(path.indexOf(next)), next]
    path.push(next)
  }
  return null
}

describe('the house', () => {
  test('folders import one way, and so do the rooms of a folder', () => {
    deepEqual([FOLDERS, ...ROOMS].flatMap(importsAgainst), [])
  })

  test('every file of the server, and whatever it imports, has its place in the order', () => {
    const isPlaced = (path: string) => FOLDERS.flat().some((place) => isIn(path, place))
    const ours = imports.filter(({ from }) => isIn(from, 'server') && !JOINS_THE_FORM.includes(from))
    const reached = [...product.filter((file) => isIn(file, 'server')), ...ours.map(({ to }) => to)]
    deepEqual(
      reached.filter((file) => file.endsWith('.ts') && !isPlaced(file)),
      [],
    )
  })

  test('a folder with rooms says their order', () => {
    const inRoom = product.filter((file) => isIn(file, 'server') && file.split('/').length > 3)
    const ordered = ROOMS.flat(2)
    deepEqual(
      inRoom.filter((file) => !ordered.some((place) => place.split('/').length > 2 && isIn(file, place))),
      [],
    )
  })

  test('no files import each other in a circle, not even for a type', () => {
    deepEqual(findCircle(), null)
  })

  test('the form and the scripts of browsers know contract/ and themselves, and the server knows nothing of them', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (from.startsWith('scripts/') || JOINS_THE_FORM.includes(from)) return false
      const home = topFolder(from)
      return APART.includes(home) ? ![home, 'contract'].includes(topFolder(to)) : APART.includes(topFolder(to))
    })
    deepEqual(wrong.map(arrow), [])
  })

  test('only routes, their OpenAPI and what mounts them import server/http', () => {
    const mayImport = (file: string) =>
      /-(?:routes?|openapi)\.ts$/.test(file) || isIn(file, 'server/http') || isIn(file, 'server/app')
    const files = imports
      .filter(({ from, to }) => isIn(from, 'server') && isIn(to, 'server/http') && !mayImport(from))
      .map(({ from }) => from)
    deepEqual([...new Set(files)].sort(), KNOW_HTTP)
  })

  test('only config.ts reads the environment', () => {
    const files = product.filter((file) => file.startsWith('server/') && /process\.env\b/.test(text(file)))
    deepEqual(files, ['server/main.ts'])
  })

  test('only gateways.ts names a gateway adapter', () => {
    const adapters = /\b(?:simulatorGateway|directSimulatorGateway)\b/
    const files = product.filter(
      (file) => file.startsWith('server/') && !file.startsWith('server/gateway/') && adapters.test(text(file)),
    )
    deepEqual(files, ['server/app/gateways.ts'])
  })

  test('only three-ds-server.ts names an adapter of 3-D Secure', () => {
    const files = product.filter(
      (file) => !file.startsWith('server/three-d-secure/') && /\bthreeDsIoServer\b/.test(text(file)),
    )
    deepEqual(files, ['server/app/three-ds-server.ts'])
  })

  test('nothing is postponed or silenced without its reason', () => {
    const silenced = /\b(?:TODO|FIXME)\b|@ts-(?:ignore|nocheck)|\.(?:skip|only|todo)\(/
    deepEqual(
      sources.filter((file) => file !== 'test/tidy/house.test.ts' && silenced.test(text(file))),
      [],
    )
  })
})
