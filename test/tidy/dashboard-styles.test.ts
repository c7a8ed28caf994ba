import { deepEqual } from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { importsOf, nodesOf, type SyntaxNode, sources, text } from './tree.ts'

// Mantine has one file of styles for each component. One that dashboard/styles.ts forgets shows nothing but a wrong look.

const CORE = 'node_modules/@mantine/core'
const pages = sources.filter((file) => file.startsWith('dashboard/') && !file.endsWith('.test.ts'))
const listed = [...text('dashboard/styles.ts').matchAll(/@mantine\/core\/styles\/(\w+)\.css/g)].map(
  ([, name]) => name ?? '',
)

/** The components that pages import by name. */
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

/** A component, and the components that it is made of. */
function withParts(name: string, found = new Set<string>()): Set<string> {
  const file = ['components', 'utils'].map((folder) => `${CORE}/esm/${folder}/${name}/${name}.mjs`).find(existsSync)
  if (found.has(name) || file === undefined) return found
  found.add(name)
  for (const path of modulesOf(file)) {
    const part = /(?:components|utils)\/(\w+)\/\w+\.mjs$/.exec(path)?.[1]
    if (part) withParts(part, found)
  }
  return found
}

/** The files of a component, and those that they import from other components. */
function modulesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const paths = [...readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g)].map(([, path]) =>
    join(dirname(file), path ?? ''),
  )
  const isOwn = (path: string) => dirname(path) === dirname(file)
  return paths.flatMap((path) => (isOwn(path) ? modulesOf(path, seen) : [path]))
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
