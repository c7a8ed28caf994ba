import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt, nodesOf, product, type SyntaxNode } from './tree.ts'

const isFunction = (node: SyntaxNode) => /Function/.test(node.type)

/** Returns the nodes inside that belong to the same function. */
function within(value: unknown): SyntaxNode[] {
  if (Array.isArray(value)) return value.flatMap(within)
  if (typeof value !== 'object' || value === null || !('type' in value)) return []
  const node = value as SyntaxNode
  return isFunction(node) ? [node] : [node, ...Object.values(node).flatMap(within)]
}

/** Returns the calls whose result a `return` may return without awaiting it. */
function calls(value: unknown): SyntaxNode[] {
  const node = value as SyntaxNode | null
  if (node?.type === 'CallExpression') return [node]
  if (node?.type === 'ConditionalExpression') return [...calls(node.consequent), ...calls(node.alternate)]
  return node?.type === 'LogicalExpression' ? [...calls(node.left), ...calls(node.right)] : []
}

const awaits = (block: unknown) => within(block).some(({ type }) => type === 'AwaitExpression')

test('a call that is returned before a finally block that awaits is awaited: nothing would handle its rejection', () => {
  const found = product.flatMap((file) =>
    nodesOf(file)
      .filter(({ node }) => node.type === 'TryStatement' && awaits(node.finalizer))
      .flatMap(({ node }) => within([node.block, node.handler]))
      .filter((node) => node.type === 'ReturnStatement' && calls(node.argument).length > 0)
      .map((node) => `${file}:${lineAt(file, node.start)}`),
  )
  deepEqual(found, [])
})
