import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { Webhook } from 'standardwebhooks'
import { build } from 'vite'
import { buildSdk } from '../scripts/build-sdk.ts'
import { MAIN, STORY, TYPES } from '../test/support/sdk-programs.ts'
import { secondMerchant } from '../test/support/second-merchant.ts'
import { openService, type TestService } from '../test/support/service.ts'
import { VERSION } from './version.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
/** Globals of a worker, without Node's. The others belong to the language. */
const WEB = {
  fetch,
  URL,
  URLSearchParams,
  Headers,
  AbortController,
  setTimeout,
  clearTimeout,
  TextEncoder,
  TextDecoder,
}
/** All packages that an installation brings; packed here, so that the test does not need a registry. */
const BROUGHT = ['standardwebhooks', '@stablelib/base64', 'fast-sha256']
const NODE_TYPES = ['--lib', 'es2023', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const AROUND = `
declare const rialto: Rialto, product: { id: string }, id: string, signal: AbortSignal, request: Request
declare const apiKey: string, baseUrl: string
`

describe('The npm package @rialto/sdk', () => {
  let folder: string
  let files: string[]
  let service: TestService

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-sdk-'))
    buildSdk(join(folder, 'package'))
    const installed = BROUGHT.map((name) => join(ROOT, 'node_modules', name))
    const options = ['--json', '--ignore-scripts', '--pack-destination', folder]
    const { stdout } = await run('npm', ['pack', ...options, join(folder, 'package'), ...installed], { cwd: folder })
    const packed: { filename: string; files: { path: string }[] }[] = JSON.parse(stdout)
    files = packed[0]?.files.map(({ path }) => path) ?? []
    await rm(join(folder, 'package'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
    const tarballs = packed.map(({ filename }) => join(folder, filename))
    await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...tarballs], {
      cwd: folder,
    })
    for (const [name, code] of Object.entries({ 'story.ts': STORY, 'main.ts': MAIN, 'types.ts': TYPES })) {
      await writeFile(join(folder, name), code)
    }
    service = await openService()
  })
  after(async () => {
    await service?.close()
    await rm(folder, { recursive: true })
  })

  test('contains the compiled code, its declarations, README and licence, and no sources', async () => {
    const others = files.filter((file) => !/^dist\/[\w/-]+\.(?:js|d\.ts)$/.test(file))
    deepEqual(others.sort(), ['LICENSE', 'README.md', 'package.json'])
    deepEqual(
      files.filter((file) => /(?:^|\/)test\/|\.test\./.test(file)),
      [],
    )
    const installed = JSON.parse(await readFile(join(folder, 'node_modules/@rialto/sdk/package.json'), 'utf8'))
    equal(installed.version, VERSION)
    deepEqual(Object.keys(installed.dependencies), ['standardwebhooks'])
  })

  test('imports nothing from Node, and one dependency', async () => {
    const dist = join(folder, 'node_modules/@rialto/sdk/dist')
    const code = await Promise.all(
      globSync('**/*.{js,d.ts}', { cwd: dist }).map((file) => readFile(join(dist, file), 'utf8')),
    )
    const targets = code.flatMap((text) =>
      [...text.matchAll(/(?:from|import\(?) ?['"]([^'"]+)['"]/g)].map(([, to]) => to),
    )
    deepEqual([...new Set(targets.filter((to) => !/^\.{1,2}\/[\w/-]+\.js$/.test(to ?? '')))], ['standardwebhooks'])
    equal(
      /\b(?:process|Buffer|require|__dirname|global)\b[.([]/.test(code.join('\n').replace(/^\s*\/?\*.*$/gm, '')),
      false,
    )
  })

  test('a strict TypeScript project compiles against it with the types of Node, as do the examples of README and guide', async () => {
    const programs = ['main.ts', 'story.ts', 'types.ts']
    for (const path of ['sdk/README.md', 'docs/guides/merchant-api.md']) {
      const examples = await examplesOf(join(ROOT, path))
      ok(examples.length > 0, path)
      for (const [index, example] of examples.entries()) {
        const name = `${basename(path, '.md')}-${index}.ts`
        await writeFile(join(folder, name), example)
        programs.push(name)
      }
    }
    equal(await compile(folder, programs, NODE_TYPES), '')
  })

  for (const [name, libraries] of [
    ['Node, Deno and Bun with the DOM library', ['--lib', 'es2023,dom,dom.iterable']],
    ['a worker', ['--lib', 'es2023,webworker']],
  ] as const) {
    test(`a strict TypeScript project compiles against it with the types of ${name}`, async () => {
      equal(await compile(folder, ['story.ts', 'types.ts'], libraries), '')
    })
  }

  test('works against the service: create, list over three pages, errors, a webhook', async () => {
    const ran = run(process.execPath, ['main.ts'], { cwd: folder, timeout: 60_000 })
    ran.child.stdin?.end(JSON.stringify(settingsOf(service)))

    deepEqual(JSON.parse((await ran).stdout), expectedOf(service))
  })

  test('works the same bundled for a worker, with web globals only', async () => {
    const other = { url: service.url, demo: (await secondMerchant(service)).demo }
    const context = createContext({ ...WEB })

    runInContext(`${await bundle(folder)}\nglobalThis.story = story`, context)

    const told = await context.story.tellStory(settingsOf(other))
    deepEqual(JSON.parse(JSON.stringify(told)), expectedOf(other, 'cad'))
  })

  test('the README begins with a first call in ten lines', async () => {
    const readme = await readFile(join(folder, 'node_modules/@rialto/sdk/README.md'), 'utf8')
    match(readme, /^# @rialto\/sdk\n\n.+\n\n```ts\n(?:.*\n){1,10}?```\n/)
    match(readme.slice(0, 800), /new Rialto\(/)
  })
})

/** @returns the compiler's errors; declarations of dependencies are checked too */
async function compile(folder: string, programs: string[], libraries: readonly string[]): Promise<string> {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const modules = [
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--allowImportingTsExtensions',
    '--noEmit',
    '--ignoreConfig',
  ]
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const options = [...strict, ...modules, ...libraries, ...programs]
  const { stdout } = await run(tsc, options, { cwd: folder }).catch((error) => error)
  return stdout
}

/** Returns each block of TypeScript as a separate function, with the values that the text around it mentions. */
async function examplesOf(file: string): Promise<string[]> {
  const blocks = [...(await readFile(file, 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  )
  return blocks.map((block) => {
    const imports = block.match(/^import .*$/gm) ?? ["import { Rialto } from '@rialto/sdk'"]
    const isMadeThere = imports.some((line) => /\bRialto\b/.test(line))
    const more = isMadeThere ? '' : "import { Rialto } from '@rialto/sdk'"
    return `${imports.join('\n')}\n${more}\n${AROUND}\nexport async function example() {\n${block.replace(/^import .*$/gm, '')}\n}`
  })
}

function settingsOf({ url, demo }: Pick<TestService, 'url' | 'demo'>) {
  const at = new Date()
  const body = JSON.stringify({ type: 'customer.created', data: { object: { name: 'Zoë' } } })
  const signature = new Webhook(SECRET).sign('evt-1', at, body)
  const headers = {
    'webhook-id': 'evt-1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signature,
  }
  return { url, key: demo.api_key, webhook: { body, headers, secret: SECRET } }
}

function expectedOf({ demo }: Pick<TestService, 'demo'>, currency = 'usd') {
  return {
    lastFour: demo.api_key.slice(-4),
    business: true,
    made: ['Plan', { tier: 1, trial: false }, [true], 2500, currency],
    recurring: { interval: 'month', interval_count: 3 },
    renamed: ['Plan B', {}],
    known: null,
    listed: Array.from({ length: 25 }, (_, index) => `story-${24 - index}@example.com`),
    pages: [10, 10, 5, false, null],
    cards: [],
    event: 'Zoë',
    refused: [
      true,
      ['ValidationError', 422, 'parameter_invalid', 'unit_amount'],
      ['ValidationError', 422, 'parameter_invalid', 'recurring.interval_count'],
      ['ValidationError', 422, 'parameter_invalid', 'limit'],
      ['AuthenticationError', 401, 'invalid_api_key', null],
      ['WebhookError', null, 'webhook_signature_invalid', null],
    ],
  }
}

/** Bundles the program and the SDK into one script, as bundlers for workers do. */
async function bundle(folder: string): Promise<string> {
  const lib = { entry: join(folder, 'story.ts'), formats: ['iife' as const], name: 'story' }
  const made = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib },
  })
  const [{ output }] = made as { output: { code: string }[] }[] as [{ output: [{ code: string }] }]
  return output[0].code
}
