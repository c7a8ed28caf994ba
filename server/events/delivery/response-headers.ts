/** What is longer is cut. */
const VALUE_MAX = 200
/** Of all names and values together, in characters: those that follow are left out. */
const ALL_MAX = 1_024
const HIDDEN = '[hidden]'
/** Names of what may let somebody in, at the receiver or elsewhere. */
const SECRET = /auth|cookie|csrf|xsrf|key|pass|secret|session|signature|token/

/**
 * The headers of a receiver's response that are kept: those of a secret name without their value.
 *
 * @param headers as undici has them
 * @param hide replaces what the request had in confidence, before a value is cut
 * @see EVT-8
 */
export function keptHeaders(
  headers: Readonly<Record<string, unknown>>,
  hide: (text: string) => string = (text) => text,
): Record<string, string> {
  const kept: Record<string, string> = {}
  let room = ALL_MAX
  for (const [given, value] of Object.entries(headers)) {
    if (typeof value !== 'string' && !Array.isArray(value)) continue
    const name = hide(given.toLowerCase())
    const shown = SECRET.test(name) ? HIDDEN : storable(hide([value].flat().join(', ')))
    room -= name.length + shown.length
    if (room < 0) break
    kept[name] = shown
  }
  return kept
}

const storable = (value: string) => {
  const text = value.replaceAll('\0', '\uFFFD')
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX).toWellFormed()}…` : text.toWellFormed()
}
