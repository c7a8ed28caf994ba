import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lineAt, nodesOf, product, type SyntaxNode, sources, text } from './tree.ts'

const LINES_PER_FILE_MAX = 300
const GENERATED = ['server/db/tables.ts', 'sdk/generated/types.ts']

const LINES_PER_FUNCTION_MAX = 50
/** Functions that are longer, and how long they may be at most. No line is added here, and no number grows. */
const LONG_FUNCTIONS: Record<string, number> = {
  'server/checkout/form/form-routes.ts formRoutes': 60,
  'server/checkout/sessions/session-routes.ts sessionRoutes': 78,
}

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const nameOf = (node: SyntaxNode | null) => ((node?.id ?? node?.key) as { name?: string } | null | undefined)?.name

/** Functions within a function count for both. */
const longFunctions = product.flatMap((file) =>
  nodesOf(file)
    .filter(({ node }) => FUNCTIONS.includes(node.type))
    .map(({ node, parent }) => ({
      name: `${file} ${nameOf(node) ?? nameOf(parent) ?? `line ${lineAt(file, node.start)}`}`,
      lines: lineAt(file, node.end) - lineAt(file, node.start) + 1,
    }))
    .filter(({ lines }) => lines > LINES_PER_FUNCTION_MAX),
)

describe('lengths', () => {
  test(`no file is longer than ${LINES_PER_FILE_MAX} lines`, () => {
    const files = sources.filter((file) => !GENERATED.includes(file))
    deepEqual(
      files.filter((file) => text(file).split('\n').length > LINES_PER_FILE_MAX + 1),
      [],
    )
  })

  test(`no function is longer than ${LINES_PER_FUNCTION_MAX} lines, and the known ones do not grow`, () => {
    deepEqual(
      longFunctions.filter(({ name, lines }) => lines > (LONG_FUNCTIONS[name] ?? LINES_PER_FUNCTION_MAX)),
      [],
    )
  })

  test('a function that became short is taken off the list of long ones', () => {
    const names = longFunctions.map(({ name }) => name)
    deepEqual(
      Object.keys(LONG_FUNCTIONS).filter((name) => !names.includes(name)),
      [],
    )
  })
})
