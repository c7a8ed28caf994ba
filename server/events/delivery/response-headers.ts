/** Maximum length of a value; the rest is cut off. */
const VALUE_MAX = 200
/** Maximum length of all names and values together, in characters; further headers are left out. */
const ALL_MAX = 1_024
const HIDDEN = '[hidden]'
/** Matches names of headers that may grant access, at the receiver or elsewhere. */
const SECRET = /auth|cookie|csrf|xsrf|key|pass|secret|session|signature|token/

/**
 * Returns the headers of a receiver's response that are stored; those with a secret name lose their value.
 *
 * @param headers as undici returns them
 * @param hide replaces confidential parts of the request before a value is cut off
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
