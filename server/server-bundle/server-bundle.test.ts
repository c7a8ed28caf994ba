import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin, SourceMap } from 'node:module'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { createTestDatabase } from '../../test/support/database.ts'
import { openKillableService } from '../../test/support/killable-service.ts'
import { merchantOf, payerOf } from '../../test/support/merchant.ts'
import { moneyRows } from '../../test/support/money-rows.ts'
import { assertSoundBooks } from '../../test/support/sound-books.ts'
import { until } from '../../test/support/until.ts'
import { buildBundle } from './build-bundle.ts'
import { findBundle, hashFiles, readBundleManifest } from './find-bundle.ts'
import { lineTable } from './line-table.ts'

const ENTRY = fileURLToPath(new URL('../rialto.mjs', import.meta.url))

let folder: string

before(async () => {
  folder = await buildBundle()
})

/** Runs a command to its end, and counts the files that it loads. */
function run(args: string[], env: Record<string, string> = {}) {
  const counter = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (url.startsWith('file:') && loaded.push(url), next(url, context)) })
    process.on('exit', () => console.log(JSON.stringify(loaded)))`
  const program = ['--import', `data:text/javascript,${encodeURIComponent(counter)}`, ENTRY, ...args]
  const { stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8', env: { ...process.env, ...env } })
  return { stderr, loaded: JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]') as string[] }
}

describe('The bundle of the server', () => {
  test('is what a command runs, in few files, none of them a package that is loaded late', () => {
    const { loaded, stderr } = run(['no-such-command'])
    match(stderr, /Usage: npm start/)
    const own = loaded.filter((url) => url.startsWith(pathToFileURL(folder).href))
    ok(own.length >= 2, loaded.join('\n'))
    ok(loaded.length <= 12, loaded.join('\n'))
    const late = /node_modules\/(@simplewebauthn|@scalar|pdfkit|fontkit|handlebars|nodemailer|vite)\//
    deepEqual(
      loaded.filter((url) => late.test(url)),
      [],
    )
  })

  test('is ASCII: Node holds any other script with two bytes for each character', () => {
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
    for (const name of scripts) {
      const lines = readFileSync(join(folder, name), 'utf8').split('\n')
      // An escape, such as \u00b7 or &middot;, is fine.
      deepEqual(
        lines.filter((line) => /[^\0-\x7f]/.test(line)),
        [],
        name,
      )
    }
  })

  test('requires nothing that a bundler could not follow', () => {
    const required = readFileSync(join(folder, 'main.js'), 'utf8').matchAll(/\b__require\(([^)]*)\)/g)
    const others = [...required].map(([, name = '']) => name).filter((name) => !isBuiltin(name.slice(1, -1)))
    deepEqual(others, ['"pg-native"'])
  })

  test('is not used once a source differs from what it was built from', () => {
    const manifest = readBundleManifest()
    ok(manifest)
    equal(findBundle(), folder)
    equal(hashFiles(manifest.sources), manifest.builtFrom)
    for (const source of ['package-lock.json', 'server/main.ts', 'server/serve/simulator-program.ts'])
      ok(manifest.sources.includes(source), source)
    ok(hashFiles(manifest.sources.slice(1)) !== manifest.builtFrom)
  })

  test('has stack traces that name the lines of the sources', async () => {
    await using database = await createTestDatabase()
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query('alter table business rename column name to title')
    await client.end()
    const { stderr } = run(['business', 'list'], { DATABASE_URL: database.url, RIALTO_ENV: 'staging' })
    match(stderr, /column .* does not exist/)
    const [, file = '', line] = /file:\/\/\S*\/(server\/\w\S+\.ts):(\d+)/.exec(stderr) ?? []
    ok(file, stderr)
    const text = readFileSync(join(fileURLToPath(new URL('../..', import.meta.url)), file), 'utf8').split('\n')
    match(text[Number(line) - 1] ?? '', /await|return/)
  })

  test('takes payments, recovers one that lost its process', async () => {
    await using service = await openKillableService({ program: ENTRY })
    await using book = moneyRows(service.databaseUrl)
    const pay = async () => payerOf(service).pay(await merchantOf(service).sessionToken())
    equal((await pay()).status, 200)
    await service.dieAt('after:gateway_result')
    await rejects(pay())
    await service.ended()
    await service.start({ program: ENTRY })
    equal((await pay()).status, 200)
    await until('the lost sale is reversed', async () => (await book.countOpen()) === 0)
    deepEqual(
      (await book.operations('sale')).map(({ state }) => state),
      ['APPROVED', 'REVERSED', 'APPROVED'],
    )
    await assertSoundBooks(service)
  })
})

test('a table of lines finds what a source map says', () => {
  const mappings = 'AAAA,GAAG;;ACCA,IADA;AACA'
  const table = lineTable(['a.ts', 'b.ts'], mappings).split('\n')
  const map = new SourceMap({
    file: '',
    version: 3,
    sources: ['a.ts', 'b.ts'],
    sourcesContent: [],
    names: [],
    mappings,
    sourceRoot: '',
  })
  for (const [line, column] of [
    [0, 0],
    [0, 3],
    [2, 0],
    [2, 4],
    [3, 0],
  ] as const) {
    const { originalSource, originalLine } = map.findEntry(line, column) as {
      originalSource: string
      originalLine: number
    }
    const part = table[line + 1]
      ?.split(',')
      .map((text) => text.split(' ').map(Number))
      .findLast(([start = 0]) => start <= column)
    deepEqual([JSON.parse(table[0] ?? '')[part?.[1] ?? -1], part?.[2]], [originalSource, originalLine + 1])
  }
})
