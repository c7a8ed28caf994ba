import { deepEqual } from 'node:assert/strict'
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
