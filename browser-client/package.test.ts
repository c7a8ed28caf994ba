import { deepEqual, equal, match } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import packageJson from './package.json' with { type: 'json' }
import { VERSION } from './version.ts'

const run = promisify(execFile)

const USE = `
const options = { businessId: 'b-1', apiBaseUrl: 'https://api.example', authToken: 'rc_bt_1' }
try {
  ServiceCheckout.init(options)
} catch ({ message }) {
  console.log(message)
}
const outcome = await ServiceCheckout.init({ ...options, checkoutOrigin: 'https://pay.example' })
  .create({ amount_total: 5 })
  .catch(({ code }) => code)
console.log(ServiceCheckout.version, outcome, ServiceCheckout.getState().phase)`

const SAMPLE = `
import { type CheckoutOutcome, ServiceCheckout, ServiceCheckoutError } from '@rialto/checkout'
ServiceCheckout.init({ businessId: 'b-1', apiBaseUrl: 'https://api.example', containerId: 'checkout',
  checkoutOrigin: 'https://pay.example',
  onSuccess: ({ amount, receipt_id }) => console.log(amount.toFixed(2), receipt_id) })
// @ts-expect-error an option that does not exist
ServiceCheckout.init({ businessId: 'b-1', apiBaseUrl: 'https://api.example', checkoutOrigin: '', onSucess() {} })
// @ts-expect-error the package knows no service: the origin of the form is missing
ServiceCheckout.init({ businessId: 'b-1', apiBaseUrl: 'https://api.example' })
export async function buy(): Promise<CheckoutOutcome | string> {
  try {
    return await (await ServiceCheckout.create({ amount_total: 5, ui_mode: 'rapid' })).outcome
  } catch (error) {
    if (error instanceof ServiceCheckoutError && error.retryable) return error.code
    throw error
  }
}
`

describe('The npm package @rialto/checkout', () => {
  let folder: string
  let files: string[]

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-package-'))
    // As in the README of the repository: from the clone's root, with nothing built before.
    await rm(join(import.meta.dirname, 'dist'), { recursive: true, force: true })
    const packed = await run('npm', ['pack', './browser-client', '--json', '--pack-destination', folder], {
      cwd: join(import.meta.dirname, '..'),
    })
    const [{ filename, files: listed }] = JSON.parse(packed.stdout)
    files = listed.map(({ path }: { path: string }) => path)
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true }')
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder })
  })
  after(() => rm(folder, { recursive: true }))

  test('holds the two kinds of module, their declarations and nothing of the source', () => {
    deepEqual(files.sort(), [
      'LICENSE',
      'README.md',
      'dist/index.cjs',
      'dist/index.d.cts',
      'dist/index.d.ts',
      'dist/index.js',
      'package.json',
    ])
    equal(packageJson.version, VERSION)
    equal('dependencies' in packageJson, false)
  })

  for (const [kind, name, load] of [
    ['ESM', 'use.mjs', "import { ServiceCheckout } from '@rialto/checkout'"],
    ['CommonJS', 'use.cjs', "const { ServiceCheckout } = require('@rialto/checkout')"],
  ] as const) {
    test(`CAS-57: imported on a server as ${kind} it does nothing, and create says what is missing`, async () => {
      const code = kind === 'ESM' ? USE : `(async () => {${USE}})()`
      await writeFile(join(folder, name), `${load};\n${code}`)
      const { stdout } = await run(process.execPath, [name], { cwd: folder })
      equal(stdout.trim(), `Check checkoutOrigin\n${VERSION} unsupported_environment idle`)
    })
  }

  for (const extension of ['mts', 'cts']) {
    test(`a strict TypeScript shop compiles against it (.${extension})`, async () => {
      await writeFile(join(folder, `sample.${extension}`), SAMPLE)
      const tsc = join(import.meta.dirname, '../node_modules/.bin/tsc')
      const options = [
        '--noEmit',
        '--strict',
        '--exactOptionalPropertyTypes',
        '--module',
        'nodenext',
        '--lib',
        'esnext,dom',
      ]
      const { stdout } = await run(tsc, [...options, `sample.${extension}`], { cwd: folder }).catch((error) => error)
      equal(stdout, '')
    })
  }

  test('the README begins with a checkout in ten lines', async () => {
    const { stdout } = await run('tar', ['-xOzf', `rialto-checkout-${VERSION}.tgz`, 'package/README.md'], {
      cwd: folder,
    })
    match(stdout, /^# @rialto\/checkout[\s\S]{0,600}ServiceCheckout\.init/)
  })
})
