const HIDDEN = '[hidden]'
/** Number of leading letters after which a secret that is cut off at the end of the text is still recognized. */
const CUT_MIN = 4
const BY_NAME: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

interface Letter {
  plain: string
  /** Encodings of the letter in JSON, HTML, URLs and forms, in lower case. */
  encoded: readonly string[]
}

/**
 * Hides copies of secrets in a text, even if they are encoded or cut off by the end of the text.
 *
 * @returns a function to be called before anything is cut off, so that no part of a secret is left
 */
export function hiderOf(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret !== '').map((secret) => [...secret].map(letterOf))
  const beginnings = new Set(known.flatMap(([first]) => [first?.plain ?? '', ...(first?.encoded ?? [])].map(firstUnit)))
  return (text) => {
    const small = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
    let [shown, at] = ['', 0]
    while (at < text.length) {
      const mayBegin = beginnings.has(text[at] ?? '')
      const end = mayBegin ? Math.max(...known.map((letters) => endOf({ text, small }, at, letters))) : -1
      shown += end > at ? HIDDEN : text[at]
      at = end > at ? end : at + 1
    }
    return shown
  }
}

const firstUnit = (text: string) => text[0] ?? ''

function letterOf(plain: string): Letter {
  const code = plain.codePointAt(0) ?? 0
  const units = plain.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const bytes = [...Buffer.from(plain)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
  const html = [`&#${code};`, `&#x${code.toString(16)};`, ...(BY_NAME[plain] ? [`&${BY_NAME[plain]};`] : [])]
  return { plain, encoded: [units.join(''), bytes.join(''), ...html, `\\${plain}`, ...(plain === ' ' ? ['+'] : [])] }
}

interface Read {
  text: string
  small: string
}

/**
 * Returns where a secret that begins here ends; -1 if none begins here. A sender encodes either all of a text or none
 * of it.
 */
const endOf = (read: Read, at: number, letters: readonly Letter[]): number =>
  Math.max(endWith(read, at, letters, plainFirst), endWith(read, at, letters, encodedFirst))

function endWith(read: Read, begin: number, letters: readonly Letter[], step: typeof plainFirst): number {
  let at = begin
  for (const [index, letter] of letters.entries()) {
    const length = step(read, at, letter)
    if (length === 0) return index >= CUT_MIN && isCut(read, at, letter) ? read.text.length : -1
    at += length
  }
  return at
}

/** Whether the text ends before this letter or within it. */
const isCut = ({ text, small }: Read, at: number, { encoded }: Letter) =>
  at === text.length || encoded.some((spelling) => spelling.startsWith(small.slice(at)))

const plainFirst = (read: Read, at: number, letter: Letter) => plainAt(read, at, letter) || encodedAt(read, at, letter)
const encodedFirst = (read: Read, at: number, letter: Letter) =>
  encodedAt(read, at, letter) || plainAt(read, at, letter)

/** Returns the length of the letter in the text; 0 if it is not here. */
const plainAt = ({ text }: Read, at: number, { plain }: Letter) => (text.startsWith(plain, at) ? plain.length : 0)

const encodedAt = ({ small }: Read, at: number, { encoded }: Letter) =>
  encoded.find((spelling) => small.startsWith(spelling, at))?.length ?? 0
