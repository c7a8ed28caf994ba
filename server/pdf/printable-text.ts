import { loadFonts } from './fonts.ts'

/** Characters that hide, turn or control text, and variants of signs. */
const INVISIBLE = /[\p{Cc}\p{Cf}]|\p{Variation_Selector}/gu
const TAB = '    '

/** With line breaks of one kind, two kinds of spaces, the one that breaks and the one that does not, and no tabs. */
export const printableText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', TAB)
    .replace(/\p{Zs}/gu, (space) => (space === '\u00A0' ? space : ' '))
    .replace(INVISIBLE, (character) => (character === '\n' ? character : ''))

/**
 * The characters of a text that the fonts lack, each once. The fonts have Latin, Greek and Cyrillic letters and usual
 * signs; a reader would find empty boxes in place of others.
 *
 * @param text as `printableText` returns it
 */
export async function charactersWithoutGlyph(text: string): Promise<string[]> {
  const { regular, bold } = await loadFonts()
  return [...new Set(text)].filter((character) => {
    const code = character.codePointAt(0) ?? 0
    return character !== '\n' && !(regular.hasGlyphForCodePoint(code) && bold.hasGlyphForCodePoint(code))
  })
}
