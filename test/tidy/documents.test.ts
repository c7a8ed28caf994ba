import { deepEqual, notEqual } from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'
import { text } from './tree.ts'

describe('documents', () => {
  test('every path in the table "Where is …" of the README exists', () => {
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

  test('every claim of SECURITY.md names tests that exist', () => {
    const [, claims = ''] = /## How each thing is protected\n([\s\S]*?)\n## /.exec(text('SECURITY.md')) ?? []
    const rows = claims.split('\n').filter((line) => /^\| (?!What \|)/.test(line))
    notEqual(rows.length, 0)
    const wrong = rows.flatMap((row) => {
      const tests = [...row.matchAll(/\[([^\]]+)\]\(([^)]+\.test\.ts)\)/g)]
      if (tests.length === 0) return [row]
      return tests.filter(([, name = '', file = '']) => !hasTest(file, name)).map(([link]) => link)
    })
    deepEqual(wrong, [])
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

  test('prose is wrapped at 120 characters; tables and code are not', () => {
    const pages = globSync(['*.md', 'docs/**/*.md', 'sdk/*.md', 'browser-client/*.md'])
    const long = pages.flatMap((page) =>
      text(page)
        .replaceAll(/^ *(```|~~~)[\s\S]*?^ *\1/gm, (code) => code.replaceAll(/.+/g, ''))
        .split('\n')
        .flatMap((line, index) => (line.length > 120 && !/^ *\|/.test(line) ? [`${page}:${index + 1}`] : [])),
    )
    deepEqual(long, [])
  })

  test('no lock file carries a registry address', () => {
    deepEqual(
      globSync('**/package-lock.json', { exclude: (path) => path === 'node_modules' }).filter((file) =>
        text(file).includes('"resolved": "http'),
      ),
      [],
    )
  })

  /**
   * npm leaves out an optional package that it could not fetch while it wrote the file; `npm ci` then refuses the file.
   */
  test('the lock file has every package that a package in it asks for, optional ones of other systems included', () => {
    const { packages } = JSON.parse(text('package-lock.json'))
    const missing = Object.entries<LockedPackage>(packages).flatMap(([path, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter((name) => !foldersFor(path, name).some((folder) => folder in packages))
        .map((name) => `${path} -> ${name}`),
    )
    deepEqual(missing, [])
  })
})

/** Whether a test or a suite of the file has a title that begins with this one. */
function hasTest(file: string, title: string): boolean {
  if (!existsSync(file)) return false
  return [...text(file).matchAll(/\b(?:test|describe\w*)\(\s*(['"`])((?:(?!\1).)*)/g)].some(([, , found = '']) =>
    found.startsWith(title),
  )
}

type LockedPackage = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }

/**
 * Returns the folders in which Node looks for `name` from the package at `path`: its own node_modules, then those of
 * the packages around it.
 */
function foldersFor(path: string, name: string): string[] {
  const around = path.split('/node_modules/').map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
  return [
    ...around.filter((folder) => folder !== '').map((folder) => `${folder}/node_modules/${name}`),
    `node_modules/${name}`,
  ]
}
