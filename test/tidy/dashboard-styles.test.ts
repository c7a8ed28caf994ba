import { deepEqual } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { importsOf, nodesOf, type SyntaxNode, sources, text } from './tree.ts'

// Mantine has one file of styles per component. If dashboard/styles.ts lacks one, the only symptom is a wrong look.

const CORE = 'node_modules/@mantine/core'
const pages = sources.filter((file) => file.startsWith('dashboard/') && !file.endsWith('.test.ts'))
const listed = [...text('dashboard/styles.ts').matchAll(/@mantine\/core\/styles\/(\w+)\.css/g)].map(
  ([, name]) => name ?? '',
)

/** Components that pages import by name. */
const imported = pages.flatMap((file) =>
  nodesOf(file)
    .filter(({ node }) => node.type === 'ImportDeclaration' && (node.source as SyntaxNode).value === '@mantine/core')
    .flatMap(({ node }) => (node.specifiers as SyntaxNode[]).map(({ imported: name }) => nameOf(name))),
)

/** Toasts are styled by their own package and by `Notification`. */
const USED_BY_OTHERS = ['Notification']

function nameOf(node: unknown): string {
  return (node as { name?: string }).name ?? ''
}

/** Returns a component, and the components of which it consists. */
function withParts(name: string): Set<string> {
  const seen = new Set<string>()
  for (const folder of ['components', 'utils']) visit(`${CORE}/esm/${folder}/${name}/${name}.mjs`, seen)
  return new Set([...seen].map((file) => basename(dirname(file))))
}

/** Visits the component files that a file imports, directly or indirectly. */
function visit(file: string, seen: Set<string>): void {
  if (seen.has(file) || !/(?:components|utils)\/\w+\/\w+\.mjs$/.test(file) || !existsSync(file)) return
  seen.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
    visit(join(dirname(file), path), seen)
}

describe('styles of the dashboard', () => {
  const used = new Set([...imported, ...USED_BY_OTHERS].flatMap((name) => [...withParts(name)]))
  const hasStyles = (name: string) => existsSync(`${CORE}/styles/${name}.css`)

  test('every component that a page uses, and whatever it is made of, has its styles', () => {
    deepEqual(
      [...used]
        .filter(hasStyles)
        .filter((name) => !listed.includes(name))
        .sort(),
      [],
    )
  })

  test('no styles are loaded for a component that no page uses', () => {
    const general = ['baseline', 'default-css-variables', 'global']
    deepEqual(
      listed.filter((name) => !used.has(name) && !general.includes(name)),
      [],
    )
  })

  test('pages load styles of Mantine by that list only', () => {
    const others = pages.filter(
      (file) => file !== 'dashboard/styles.ts' && /import '@mantine[^']+\.css'/.test(text(file)),
    )
    deepEqual(others, [])
    deepEqual(
      importsOf('dashboard/styles.ts').every((file) => existsSync(file)),
      true,
    )
  })
})
