import { visit } from 'jsonc-parser'

/** Maximum nesting; tokens and payloads have four levels. */
const DEPTH_MAX = 10

/**
 * Parses JSON more strictly than JSON.parse: no member may occur twice, because two readers could see two values; no
 * text may be malformed, because its bytes are signed; nesting is limited.
 *
 * @throws SyntaxError
 */
export function parseStrictJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const namesOfOpenObjects: Set<string>[] = []
  let depth = 0
  const enter = () => {
    depth += 1
    if (depth > DEPTH_MAX) throw new SyntaxError('nested too deeply')
  }
  visit(text, {
    onObjectBegin() {
      enter()
      namesOfOpenObjects.push(new Set())
    },
    onObjectEnd() {
      depth -= 1
      namesOfOpenObjects.pop()
    },
    onArrayBegin: enter,
    onArrayEnd() {
      depth -= 1
    },
    onLiteralValue(literal) {
      if (typeof literal === 'string' && !literal.isWellFormed()) throw new SyntaxError('a text is malformed')
    },
    onObjectProperty(name) {
      const names = namesOfOpenObjects.at(-1)
      if (names?.has(name)) throw new SyntaxError('a member occurs twice')
      names?.add(name)
    },
  })
  return value
}
