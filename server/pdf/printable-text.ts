/** Characters that hide, reorder or control text, and variation selectors. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]|\p{Variation_Selector}/gu
/** Scripts whose letters join, and whose texts say where they do not (می‌خواهم), or how (क्‍ष). */
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

/** Normalizes a text: one kind of line break, two kinds of space (breaking and no-break), and no tabs. */
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
