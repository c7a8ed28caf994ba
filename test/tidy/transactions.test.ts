import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt, nodesOf, product, type SyntaxNode, text } from './tree.ts'

// An open transaction holds a connection and locks that payments may wait for. So code with a transaction awaits only
// its statements: anything else that takes time (a password's hash, a drawing, a file, another server) is done before.

/** Waits for files while it holds the lock of the demo business, before the service takes its first request. */
const AT_START = ['server/demo/prepare-demo.ts']
/** The code that implements transactions. */
const MACHINERY = 'server/db/'

const names = (value: unknown): SyntaxNode[] => descendants(value).filter(({ type }) => type === 'Identifier')

function descendants(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(descendants)
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(descendants)
  return 'type' in value ? [value as SyntaxNode, ...inside] : inside
}

const nameOf = (node: unknown) => (node as SyntaxNode | null)?.name as string | undefined

/**
 * Returns the names of the transaction, and of objects that contain it: `{ ...services, db: tx }`, `new PgBoss({ db:
 * fromKysely(tx) })`.
 */
function connectionsIn(body: unknown): Set<string | undefined> {
  const connections = new Set<string | undefined>(['tx'])
  for (const { name, value } of descendants(body).flatMap(declared)) {
    if (!/^(Object|New)Expression$/.test(value?.type ?? '')) continue
    if (names(value).some((used) => connections.has(nameOf(used)))) connections.add(nameOf(name))
  }
  return connections
}

/** Returns each name of `const inside = value` and of `const [inside, id] = [value, other]` with its value. */
function declared({ type, id, init }: SyntaxNode): { name: unknown; value: SyntaxNode | null }[] {
  if (type !== 'VariableDeclarator') return []
  const [pattern, value] = [id as SyntaxNode, init as SyntaxNode | null]
  if (pattern.type !== 'ArrayPattern' || value?.type !== 'ArrayExpression') return [{ name: pattern, value }]
  const values = value.elements as (SyntaxNode | null)[]
  return (pattern.elements as unknown[]).map((name, index) => ({ name, value: values[index] ?? null }))
}

/**
 * Returns awaits in a function with a transaction that wait for something else. A parameter may be a promise, which its
 * caller has started.
 */
function strangeAwaits({ params, body }: SyntaxNode): SyntaxNode[] {
  const parameters = names(params).map(nameOf)
  if (!parameters.includes('tx')) return []
  const connections = connectionsIn(body)
  return descendants(body).filter(({ type, argument }) => {
    if (type !== 'AwaitExpression' || parameters.includes(nameOf(argument))) return false
    return !names(argument).some((name) => connections.has(nameOf(name)))
  })
}

const strangeIn = (file: string) =>
  nodesOf(file)
    .filter(({ node }) => /Function/.test(node.type))
    .flatMap(({ node }) => strangeAwaits(node))
    .map((found) => `${file}:${lineAt(file, found.start)} ${text(file).slice(found.start, found.end).split('\n')[0]}`)

test('PAY-4: a function with a transaction awaits nothing but the transaction', () => {
  const files = product.filter((file) => file.startsWith('server/') && !file.startsWith(MACHINERY))
  deepEqual([...new Set(files.filter((file) => !AT_START.includes(file)).flatMap(strangeIn))], [])
})

test('the exception is one', () => {
  deepEqual(
    AT_START.filter((file) => strangeIn(file).length === 0),
    [],
  )
})
