import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lineAt, nodesOf, product, type SyntaxNode, sources, text } from './tree.ts'

const LINES_PER_FILE_MAX = 300
/** A story is one test from beginning to end, and its cases stand together. */
const LINES_PER_TEST_FILE_MAX = 600
const GENERATED = ['server/db/tables.ts', 'sdk/generated/types.ts']

const COMMENT_WIDTH = 120

const LINES_PER_FUNCTION_MAX = 50

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const nameOf = (node: SyntaxNode | null) => ((node?.id ?? node?.key) as { name?: string } | null | undefined)?.name

/** Long functions; a function within a function counts for both. */
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
  test(`no file is longer than ${LINES_PER_FILE_MAX} lines, a test ${LINES_PER_TEST_FILE_MAX}`, () => {
    const maxOf = (file: string) => (file.endsWith('.test.ts') ? LINES_PER_TEST_FILE_MAX : LINES_PER_FILE_MAX)
    const files = sources.filter((file) => !GENERATED.includes(file))
    deepEqual(
      files.filter((file) => text(file).split('\n').length > maxOf(file) + 1),
      [],
    )
  })

  test(`comments are wrapped at ${COMMENT_WIDTH} characters`, () => {
    const long = sources
      .filter((file) => !GENERATED.includes(file))
      .flatMap((file) =>
        text(file)
          .split('\n')
          .flatMap((line, index) =>
            line.length > COMMENT_WIDTH && /^\s*(?:\/\/|\/\*|\*)/.test(line) ? [`${file}:${index + 1}`] : [],
          ),
      )
    deepEqual(long, [])
  })

  test(`no function is longer than ${LINES_PER_FUNCTION_MAX} lines`, () => {
    deepEqual(longFunctions, [])
  })
})
