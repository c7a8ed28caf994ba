// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROL = /[\u0000-\u001f\u007f]+/g

/**
 * Converts a text to the characters that the directory server accepts, at most `max`: `Zoé Müller` becomes `Zoe Muller`
 * (TDS-20). Returns `null` if nothing is left.
 */
export type WriteAscii = (text: string | null | undefined, max: number) => string | null

/** Loads the transliteration (4 MB, 8 ms) on first use, because most services do not have 3-D Secure. */
export async function loadAscii(): Promise<WriteAscii> {
  const { default: transliterate } = await import('any-ascii')
  return (text, max) =>
    transliterate(text ?? '')
      .replace(CONTROL, ' ')
      .replace(/ {2,}/g, ' ')
      .trim()
      .slice(0, max)
      .trimEnd() || null
}
