/** A rule of the styles that may hide an element, or put it on a line of its own. */
export interface DisplayRule {
  selector: string
  display?: string
  visibility?: string
  whiteSpace?: string
}

/** Conditions of the styles that hold in a page without a browser: a wide window of a person who wants no motion. */
const WIDTH = 1280
const ROOT_PX = 16

/** Returns the rules with `display`, `visibility` or `white-space` of a minified style sheet, in their order. */
export function displayRules(style: string): DisplayRule[] {
  return [...blocksOf(style.replace(/\/\*.*?\*\//gs, ''))].flatMap(({ head, body }) => {
    if (head.startsWith('@media')) return holds(head) ? displayRules(body) : []
    if (/^@(?:layer|supports)/.test(head)) return displayRules(body)
    if (head.startsWith('@') || body.includes('{')) return []
    const display = propertyOf('display', body)
    const visibility = propertyOf('visibility', body)
    const whiteSpace = propertyOf('white-space', body)
    if (!display && !visibility && !whiteSpace) return []
    const values = { ...(display && { display }), ...(visibility && { visibility }), ...(whiteSpace && { whiteSpace }) }
    return [{ selector: head, ...values }]
  })
}

function* blocksOf(style: string): Generator<{ head: string; body: string }> {
  let [depth, from, open] = [0, 0, 0]
  for (let at = 0; at < style.length; at++) {
    const sign = style[at]
    if (sign === '{' && depth++ === 0) open = at
    if (sign === ';' && depth === 0) from = at + 1
    if (sign !== '}' || --depth > 0) continue
    yield { head: style.slice(from, open).trim(), body: style.slice(open + 1, at) }
    from = at + 1
  }
}

const propertyOf = (name: string, body: string) => body.match(new RegExp(`(?:^|[;\\s])${name}:\\s*([a-z-]+)`))?.[1]

function holds(media: string): boolean {
  if (/print|forced-colors|hover: ?none|prefers-color-scheme: ?dark|max-height/.test(media)) return false
  const widths = [
    ...media.matchAll(/(min-width:|max-width:|width ?>=|width ?<=|width ?<|width ?>) ?([\d.]+)(px|r?em)/g),
  ]
  return widths.every(([, kind = '', size, unit]) => {
    const px = Number(size) * (unit === 'px' ? 1 : ROOT_PX)
    return /min|>/.test(kind) ? WIDTH >= px : WIDTH <= px
  })
}
