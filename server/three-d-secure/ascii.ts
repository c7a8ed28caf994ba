// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters on purpose.
const CONTROL = /[\u0000-\u001f\u007f]+/g

/**
 * A text as the directory server takes it, at most `max` characters: `Zoé Müller` is `Zoe Muller` (TDS-20). `null` when
 * nothing of it remains.
 */
export type WriteAscii = (text: string | null | undefined, max: number) => string | null

/** Loads the transliteration (4 MB, 8 ms) at its first use, because most services have no 3-D Secure. */
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
