import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

// The repository as text and as syntax trees, for the tests beside this file. Paths are relative to the root.

export interface SyntaxNode {
  type: string
  /** Offsets into the text of the file, in UTF-16 code units. */
  start: number
  end: number
  [property: string]: unknown
}

export interface FoundNode {
  node: SyntaxNode
  parent: SyntaxNode | null
}

export const sources = globSync(
  ['{contract,server,payment-form,browser-client,sdk,scripts,bench,test}/**/*.ts', 'dashboard/**/*.{ts,tsx}'],
  {
    exclude: ['sdk/dist', 'browser-client/dist'],
  },
).sort()

/** Files that are neither tests nor support of tests. */
export const product = sources.filter((file) => !file.endsWith('.test.ts') && !file.startsWith('test/'))

const texts = new Map<string, string>()
const trees = new Map<string, FoundNode[]>()

export function text(file: string): string {
  const known = texts.get(file) ?? readFileSync(file, 'utf8')
  texts.set(file, known)
  return known
}

/** Returns every node of a file, a parent before its children. */
export function nodesOf(file: string): FoundNode[] {
  const known = trees.get(file)
  if (known) return known
  const { program, errors } = parseSync(file, text(file))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const nodes: FoundNode[] = []
  collect(program, null, nodes)
  trees.set(file, nodes)
  return nodes
}

/** Returns the files of the repository that a file imports, for their values or their types. */
export function importsOf(file: string): string[] {
  return nodesOf(file)
    .map(({ node }) => (node.source as SyntaxNode | null | undefined)?.value)
    .filter((path): path is string => typeof path === 'string' && path.startsWith('.'))
    .map((path) => normalize(join(dirname(file), path)))
}

/** Returns every piece of text in the code: strings, and templates with `{}` in place of values. */
export function stringsOf(file: string): { value: string; start: number }[] {
  return nodesOf(file).flatMap(({ node }) => {
    if (node.type === 'Literal' && typeof node.value === 'string') return [{ value: node.value, start: node.start }]
    if (node.type !== 'TemplateLiteral') return []
    const quasis = node.quasis as { value: { raw: string } }[]
    return [{ value: quasis.map(({ value }) => value.raw).join('{}'), start: node.start }]
  })
}

export function lineAt(file: string, offset: number): number {
  return text(file).slice(0, offset).split('\n').length
}

function collect(value: unknown, parent: SyntaxNode | null, found: FoundNode[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, parent, found)
  } else if (isNode(value)) {
    found.push({ node: value, parent })
    for (const child of Object.values(value)) collect(child, value, found)
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
}
