/** Characters that hide, turn or control text, and variants of signs. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]|\p{Variation_Selector}/gu
/** Letters of these scripts join, and texts say where they do not (می‌خواهم), or how (क्‍ष). */
const JOINING = new RegExp(
  `[${[
    ...['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam', 'Sinhala'],
    ...['Tamil', 'Telugu'],
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]`,
  'u',
)
const JOINERS = ['\u200C', '\u200D']
const TAB = '    '

/** With line breaks of one kind, two kinds of spaces, the one that breaks and the one that does not, and no tabs. */
export const printableText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll('\t', TAB)
    .replace(/\p{Zs}/gu, (space) => (space === '\u00A0' ? space : ' '))
    .replace(INVISIBLE, (character, at: number, whole: string) => {
      const isKept = character === '\n' || (JOINERS.includes(character) && JOINING.test(whole[at - 1] ?? ''))
      return isKept ? character : ''
    })
