import { deepEqual, notEqual } from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'

// A clone is complete: everything that a comment, a test name or a document refers to is in the tree. Ids of rules are
// explained in docs/specification/README.md.

const TREE = globSync('**/*.{ts,mjs,js,sql,md,css,json,html,yaml}', {
  exclude: (path) => /(^|\/)(node_modules|build|dist|data|\.git)$/.test(path),
})
const FOREIGN = /^(browser-client\/released|sdk\/generated)\/|package-lock\.json$/
const text = (file: string) => readFileSync(file, 'utf8')
const sources = TREE.filter((file) => /\.(ts|mjs|sql)$/.test(file) && !FOREIGN.test(file)).sort()
const pages = TREE.filter((file) => file.endsWith('.md')).sort()

const specification = globSync('docs/specification/*.md').sort()
const definitions = specification.flatMap((page) =>
  [...text(page).matchAll(/<a id="([A-Z]{3})-(\d+)"><\/a>/g)].map(([, letters = '', number = '']) => ({
    id: `${letters}-${number}`,
    letters,
    page,
  })),
)
const ids = new Set(definitions.map(({ id }) => id))
const families = new Set(definitions.map(({ letters }) => letters))

/**
 * Returns the ids in a text that have letters of ours; UTF-8 does not, and neither does INV-000042, the number of an
 * invoice.
 */
function idsIn(content: string): string[] {
  return [...content.matchAll(/\b([A-Z]{3})-\d{1,3}\b/g)]
    .filter(([, letters = '']) => families.has(letters))
    .map(([id]) => id)
}

function commentsOf(file: string): string {
  const comment = file.endsWith('.sql')
    ? /--.*$|comment on[^;]*;/gm
    : /(?<![\w*'"`/])\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm
  return [...text(file).matchAll(comment)].map(([found]) => found).join('\n')
}

/** Files that are created while the service runs, and a package with such a name. */
const NOT_IN_THE_TREE = ['data/demo.json', 'demo.json', 'data/simulator.json', 'simulator.json', 'ipaddr.js']
const names = new Set(TREE.map((file) => basename(file)))

/**
 * Whether a path exists from the root or from beside the file, or is the bare name of a file. The bare name of a
 * document is too vague.
 */
function resolves(path: string, from: string): boolean {
  if (NOT_IN_THE_TREE.includes(path)) return true
  if (existsSync(path) || existsSync(join(dirname(from), path))) return true
  return !path.includes('/') && !path.endsWith('.md') && names.has(path)
}

function unresolvedPaths(content: string, from: string): string[] {
  const path =
    /(?<![\w:/.{}*@-])((?:\.\.?\/)*\w[\w-]*(?:\/[\w.-]+)*[\w.-]*\.(?:md|ts|mjs|sql|json|css|js|html|yaml))\b/g
  return [...content.matchAll(path)].map(([, found = '']) => found).filter((found) => !resolves(found, from))
}

/**
 * Checks the `@see` tags.
 *
 * @returns the parts of each `@see` that lead nowhere; it may name an id, a path or an RFC
 */
function unresolvedSee(content: string, from: string): string[] {
  const targets = [...content.matchAll(/@see ([^\n]*?)(?:\*\/)?$/gm)].flatMap(([, list = '']) =>
    list.split(/[,;]| to /),
  )
  return targets
    .map((target) => target.trim().split(' for ')[0] ?? '')
    .filter(
      (target) => !(ids.has(target) || /^RFC \d+$/.test(target) || (target.includes('.') && resolves(target, from))),
    )
}

/** Returns the anchors that GitHub creates from a page's headings. */
function headingsOf(page: string): string[] {
  return [...text(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Papers outside of the repository. A page of docs/ with the same name is named with its folder. */
const OUTSIDE = [
  /\b[Cc]ontract(?:\.md)? (?:\d|«)/,
  /\b[Ss]pec(?:\.md\b|,? [«"]|, [A-Z])/,
  /\breliability(?:\.md\b| [A-Z]?\d)/i,
  /\b(?:house|style)\.md\b|(?<!\/)\barchitecture\.md\b/,
  /\/work\//,
]

describe('references', () => {
  test('an id of the specification is defined once, and its letters belong to one page', () => {
    notEqual(definitions.length, 0)
    const seen = new Set<string>()
    const twice = definitions
      .filter(({ id }) => seen.size === seen.add(id).size)
      .map(({ id, page }) => `${page}: ${id}`)
    deepEqual(twice, [])
    const homes = new Set(definitions.map(({ letters, page }) => `${letters} ${page}`))
    deepEqual(homes.size, families.size)
  })

  test('every id that is named is defined', () => {
    const wrong = [...sources, ...pages].flatMap((file) =>
      idsIn(text(file))
        .filter((id) => !ids.has(id))
        .map((id) => `${file}: ${id}`),
    )
    deepEqual(wrong, [])
  })

  test('a link to an id leads to the page that defines it', () => {
    const wrong = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\(([^)#\s]*)#([A-Z]{3}-\d+)\)/g)]
        .filter(([, path = '', id]) => {
          const target = path === '' ? page : normalize(join(dirname(page), path))
          return !definitions.some((definition) => definition.id === id && definition.page === target)
        })
        .map(([link]) => `${page}: ${link}`),
    )
    deepEqual(wrong, [])
  })

  test('a link to a heading leads to one', () => {
    const wrong = pages.flatMap((page) =>
      [...text(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)]
        .filter(([, path = '', anchor = '']) => {
          const target = path === '' ? page : normalize(join(dirname(page), path))
          return !ids.has(anchor) && !headingsOf(target).includes(anchor)
        })
        .map(([link]) => `${page}: ${link}`),
    )
    deepEqual(wrong, [])
  })

  test('every npm script that a document names exists', () => {
    const { scripts } = JSON.parse(text('package.json')) as { scripts: Record<string, string> }
    const wrong = pages
      .filter((page) => page !== 'CHANGELOG.md')
      .flatMap((page) =>
        [...text(page).matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)]
          .filter(([, name = '']) => !(name in scripts))
          .map(([command]) => `${page}: ${command}`),
      )
    deepEqual(wrong, [])
  })

  test('a test is named for an id of the specification, not for a row of some other list', () => {
    const name = /\b(?:test|describe)\(\s*['"`]((?:[A-Z]-?\d{1,3}\b[,: ]).*)['"`]/g
    const wrong = sources.flatMap((file) => [...text(file).matchAll(name)].map(([, found]) => `${file}: ${found}`))
    deepEqual(wrong, [])
  })

  test('every @see leads to an id, a file or an RFC', () => {
    const wrong = sources
      .filter((file) => file !== 'test/tidy/references.test.ts')
      .flatMap((file) => unresolvedSee(commentsOf(file), file).map((target) => `${file}: ${target}`))
    deepEqual(wrong, [])
  })

  test('every file that a comment names exists', () => {
    const wrong = sources.flatMap((file) => unresolvedPaths(commentsOf(file), file).map((path) => `${file}: ${path}`))
    deepEqual(wrong, [])
  })

  test('every path that a document names in code ticks exists', () => {
    const inTicks =
      /`((?:server|test|contract|payment-form|browser-client|scripts|docs|sdk|bench|examples)\/[^`\s*{…]*)`/g
    const wrong = pages.flatMap((page) =>
      [...text(page).matchAll(inTicks)]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(path) && !existsSync(join(dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    )
    deepEqual(wrong, [])
  })

  test('no line names a paper outside the repository', () => {
    const wrong = [...sources, ...pages]
      .filter((file) => file !== 'test/tidy/references.test.ts')
      .flatMap((file) =>
        text(file)
          .split('\n')
          .flatMap((line, index) =>
            OUTSIDE.some((paper) => paper.test(line)) ? [`${file}:${index + 1}: ${line.trim()}`] : [],
          ),
      )
    deepEqual(wrong, [])
  })
})
