import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

// Each row of docs/specification/dashboard-cases.md is asserted by the tests that it names, and by no others.

const PAGE = 'docs/specification/dashboard-cases.md'

interface Case {
  id: string
  row: string
  files: string[]
}

const cases: Case[] = [...readFileSync(PAGE, 'utf8').matchAll(/^\| <a id="([A-Z]{3}-\d+)">.*$/gm)].map(
  ([row, id = '']) => ({ id, row, files: [...row.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file = '']) => file) }),
)
const ofFamily = (family: string) => cases.filter(({ id }) => id.startsWith(family))

interface Named {
  id: string
  file: string
  /** Text from its name to the line that closes it. */
  body: string
}

const NAME = /\b(?:test|describe\w*)\(\s*(?:'((?:\\.|[^'])*)'|"((?:\\.|[^"])*)"|`((?:\\.|[^`])*)`)/g

/** All tests, and groups of tests, that name one of the cases. */
const named: Named[] = globSync('{test,server,scripts}/**/*.test.ts').flatMap((file) =>
  readFileSync(file, 'utf8')
    .split(/^(?=\s*(?:test|describe\w*)\()/m)
    .flatMap((body) => {
      const [first] = body.matchAll(NAME)
      const name = first?.slice(1).find((text) => text !== undefined) ?? ''
      const indent = /^\n*(\s*)/.exec(body)?.[1] ?? ''
      const [own = ''] = body.split(`\n${indent}})`)
      return [...name.matchAll(/\b(?:JRN|DEF)-\d+/g)].map(([id]) => ({ id, file, body: own }))
    }),
)

describe('The cases of the dashboard', () => {
  test('have their numbers, each once', () => {
    const numbers = (family: string) => ofFamily(family).map(({ id }) => Number(id.split('-')[1]))
    deepEqual(
      numbers('JRN'),
      Array.from({ length: 38 }, (_, index) => index + 1),
    )
    deepEqual(
      numbers('DEF'),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
  })

  test('are each held by a test in every file that the page names, and a journey by one alone', () => {
    const filesOf = (id: string) => named.filter((one) => one.id === id).map(({ file }) => file)
    const wrong = cases.flatMap(({ id, files }) => {
      const found = id.startsWith('JRN') ? filesOf(id) : [...new Set(filesOf(id))]
      return found.toSorted().join() === files.toSorted().join() ? [] : [`${id}: ${files.join()}, not ${found.join()}`]
    })
    deepEqual(wrong, [])
    ok(named.every(({ id }) => cases.some((one) => one.id === id)))
  })

  test('are without a pointer where it is the keyboard alone', () => {
    const rows = new Map(cases.map(({ id, row }) => [id, row]))
    const wrong = named
      .filter(({ id }) => id.startsWith('JRN') && rows.get(id)?.includes('| by keyboard: '))
      .filter(({ body }) => /\.(click|fill|check|focus|tap)\(/.test(body))
    deepEqual(
      wrong.map(({ id, file }) => `${file}: ${id}`),
      [],
    )
  })
})
