import { deepEqual } from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'

// Reads the tree and keeps what would else only be written down.

// A folder imports itself and folders on earlier lines; neighbours on one line do not know each other.
const LAYERS = [
  ['contract'],
  ['server/lib'],
  ['server/db'],
  ['server/http', 'server/jobs'],
  ['server/businesses'],
  ['server/access'],
  ['server/demo', 'server/events', 'server/emails'],
  ['server/vault'],
  ['server/gateway', 'server/three-d-secure'],
  ['server/customers', 'server/catalog'],
  ['server/payments'],
  ['server/checkout'],
  ['server/subscriptions'],
]
/** Of their own: they know contract/ and themselves. Only what composes a service joins the form's page to it. */
const APART = ['payment-form', 'browser-client', 'dashboard', 'sdk']
const JOINS_THE_FORM = ['server/serve/serve.ts', 'bench/service-program.ts']

const LINES_PER_FILE_MAX = 300
/** A table of magic cards, a table of errors or of texts may be longer than prose. */
const GENERATED = ['server/db/tables.ts', 'sdk/generated/types.ts']

const sources = globSync(['{contract,server,payment-form,browser-client,sdk,scripts,bench,test}/**/*.ts'], {
  exclude: ['sdk/dist'],
}).sort()
const product = sources.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('test/'))
const text = (file: string) => readFileSync(file, 'utf8')

function folderOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] !== 'server') return parts[0] ?? ''
  return parts.length > 2 ? parts.slice(0, 2).join('/') : 'server'
}

const layerOf = (path: string) => LAYERS.findIndex((folders) => folders.includes(folderOf(path)))

function importsOf(file: string): string[] {
  const found = [...text(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
  return found.map(([, path = '']) => normalize(join(dirname(file), path)))
}

describe('the house', () => {
  test('imports point one way', () => {
    const wrong: string[] = []
    for (const file of product.filter((path) => layerOf(path) >= 0)) {
      for (const target of importsOf(file)) {
        const isAllowed =
          folderOf(target) === folderOf(file) || (layerOf(target) >= 0 && layerOf(target) < layerOf(file))
        if (!isAllowed) wrong.push(`${file} imports ${target}`)
      }
    }
    deepEqual(wrong, [])
  })

  test('the form and the scripts of browsers know contract/ and themselves, and the server knows nothing of them', () => {
    const wrong: string[] = []
    for (const file of product) {
      const apart = APART.includes(folderOf(file))
      for (const target of importsOf(file)) {
        const crosses = apart
          ? ![folderOf(file), 'contract'].includes(folderOf(target))
          : APART.includes(folderOf(target))
        if (crosses && file.startsWith('scripts/') === false && !JOINS_THE_FORM.includes(file))
          wrong.push(`${file} imports ${target}`)
      }
    }
    deepEqual(wrong, [])
  })

  test(`no file is longer than ${LINES_PER_FILE_MAX} lines`, () => {
    const files = sources.filter((file) => !GENERATED.includes(file))
    deepEqual(
      files.filter((file) => text(file).split('\n').length > LINES_PER_FILE_MAX + 1),
      [],
    )
  })

  test('only config.ts reads the environment', () => {
    const files = product.filter((file) => file.startsWith('server/') && /process\.env\b/.test(text(file)))
    deepEqual(files, ['server/main.ts'])
  })

  test('SQL is in the queries files and in server/db', () => {
    const files = product.filter((file) => file.startsWith('server/') && !file.startsWith('server/db/'))
    const holdsSql = /\bsql`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.query\(\s*['"`]/
    deepEqual(
      files.filter((file) => !/-quer(?:y|ies)\.ts$/.test(file) && holdsSql.test(text(file))),
      [],
    )
  })

  test('only gateways.ts names a gateway adapter', () => {
    const adapters = /\b(?:simulatorGateway|directSimulatorGateway)\b/
    const files = product.filter(
      (file) => file.startsWith('server/') && !file.startsWith('server/gateway/') && adapters.test(text(file)),
    )
    deepEqual(files, ['server/app/gateways.ts'])
  })

  test('each migration has a number of its own, without a gap', () => {
    const numbers = globSync('server/db/migrations/*.sql')
      .sort()
      .map((file) => Number(file.split('/').at(-1)?.slice(0, 4)))
    deepEqual(
      numbers,
      numbers.map((_number, index) => index + 1),
    )
  })

  test('nothing is postponed or silenced without its reason', () => {
    const silenced = /\b(?:TODO|FIXME)\b|@ts-(?:ignore|nocheck)|\.(?:skip|only|todo)\(/
    deepEqual(
      sources.filter((file) => file !== 'test/tidy.test.ts' && silenced.test(text(file))),
      [],
    )
  })
})

describe('card data', () => {
  /** Where a line may say these words: the vault, the gateways, the form, and the guard that knows what to refuse. */
  const HOMES = [
    /^server\/vault\//,
    /^server\/gateway\//,
    /^server\/three-d-secure\//,
    /^payment-form\//,
    // Sends a typed card on to the vault's types.
    /^server\/checkout\/page\/form-post\.ts$/,
    // Opens a stored card for one charge, and says that it has no CVV.
    /^server\/customers\/open-stored-card\.ts$/,
    // Sends a card to the gateway.
    /^server\/payments\/charge\/send-sale\.ts$/,
    /^server\/http\/card-like-fields\.ts$/,
    /^contract\/form-post\.ts$/,
  ]
  test('card-number words occur only where a card number may be', () => {
    const words = /\b(?:cardNumber|card_number|cvv|cvc|pan)\b/i
    const code = (file: string) => text(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const files = product.filter((file) => /^(?:contract|server)\//.test(file) && words.test(code(file)))
    deepEqual(
      files.filter((file) => !HOMES.some((home) => home.test(file))),
      [],
    )
  })

  test('only the vault and what sends a sale reveal a secret', () => {
    const files = product.filter((file) => /\.reveal\(\)/.test(text(file)))
    deepEqual(files, ['server/payments/charge/send-sale.ts', 'server/vault/vault.ts'])
  })

  test('only the vault and its keyring use ciphers', () => {
    const files = product.filter((file) => /createCipheriv|createDecipheriv/.test(text(file)))
    deepEqual(files, ['server/vault/envelope.ts'])
  })
})

describe('documents', () => {
  test('every path in the table «Where is …» of the README exists', () => {
    const rows = [...text('README.md').matchAll(/^\|[^|]+\|([^|]+)\|$/gm)].flatMap(([, cell = '']) => [
      ...cell.matchAll(/`([^`]+)`/g),
    ])
    const paths = rows.map(([, path = '']) => path).filter((path) => path.includes('/'))
    deepEqual(
      paths.filter((path) => globSync(path).length === 0),
      [],
    )
  })

  test('every path that SECURITY.md names exists', () => {
    const paths = [...text('SECURITY.md').matchAll(/`((?:server|test|payment-form|browser-client)\/[^`]+)`/g)]
    deepEqual(
      paths.map(([, path = '']) => path).filter((path) => globSync(path).length === 0),
      [],
    )
  })

  test('every dependency has its line in docs/reference/dependencies.md', () => {
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(text('package.json'))
    const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const page = text('docs/reference/dependencies.md')
    deepEqual(
      names.filter((name) => !page.includes(`\`${name}\``)),
      [],
    )
  })

  test('every link between documents leads somewhere', () => {
    const pages = globSync(['*.md', 'docs/**/*.md'])
    const wrong = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
        .map(([, link = '']) => normalize(join(dirname(page), link)))
        .filter((path) => !existsSync(path))
        .map((path) => `${page} -> ${path}`),
    )
    deepEqual(wrong, [])
  })

  test('no lock file carries a registry address', () => {
    deepEqual(
      globSync('**/package-lock.json', { exclude: (path) => path === 'node_modules' }).filter((file) =>
        text(file).includes('"resolved": "http'),
      ),
      [],
    )
  })
})
