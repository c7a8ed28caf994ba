import fc from 'fast-check'

const WORDS = {
  latin: `Müller Jürgen Strauß Łukasz Wałęsa Søren Ærø Ðorðe Þórunn Đặng Nguyễn Thị Zoë Renée François Núñez O'Brien
    D'Angelo L\u02bcHéritier N\u2018Diaye Håkan Çağlar İbrahim Ilgın Żółć Dvořák Škoda Œuvre Jean-Pierre García-Márquez
    Ahmad Smith Lee Bo`,
  greek: 'Παπαδόπουλος Γιώργος Οδυσσεύς Ελένη Ζωή',
  cyrillic: 'Йосиф Семён Щербак Єлизавета Їжак Достоевский Ґалаґан',
  hebrew: 'דָּוִד יִצְחָק שרה ז׳בוטינסקי',
  arabic: 'مُحَمَّد أحمد إبراهيم فاطمة علي مصطفى',
  hindi: 'सुरेश कुमार प्रिया ज़ाकिर',
  chinese: '王伟 李娜 歐陽娜娜 诸葛亮',
  kana: 'ガブリエル さとう ﾊﾟﾊﾟ タナカ',
  korean: '김민준 박서연',
  thai: 'สมชาย น้ำฝน',
  armenian: 'Արմեն Գրիգորյան',
}

/** Generates two or three words of one script, as names are written, sometimes with a number. */
export const someName = (): fc.Arbitrary<string> =>
  fc
    .constantFrom(...Object.values(WORDS).map((words) => words.split(/\s+/)))
    .chain((words) => fc.array(fc.constantFrom(...words, 'No. 7'), { minLength: 1, maxLength: 3 }))
    .map((words) => words.join(' '))

type Change = (word: string) => string
const cut = (word: string, part: number) => {
  const parts = Array.from(
    new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word),
    (one) => one.segment,
  )
  return parts.slice(0, Math.max(1, Math.ceil(parts.length * part))).join('')
}
/** Removes marks in scripts in which they are optional. */
const withoutAccents: Change = (word) =>
  word.normalize('NFD').replace(/(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}]\p{M}*)\p{M}/gu, '')
/** Adds accents to Latin letters only: in other scripts an accent makes a different letter. */
const withAccents: Change = (word) => word.replace(/[aeioun](?!\p{M})/giu, '$&\u0301')
const apostrophes = (style: string): Change => {
  return (word) => word.replace(/['\u2018\u2019\u02bc]/g, style)
}
const CHANGES: readonly Change[] = [
  (word) => word.toLowerCase(),
  (word) => word.toUpperCase(),
  withoutAccents,
  withAccents,
  ...['NFC', 'NFD', 'NFKC', 'NFKD'].map(
    (form): Change =>
      (word) =>
        word.normalize(form),
  ),
  ...["'", '\u2019', '\u02bc', '\u2018', '\u00b4', '`', '\u2032', '\uff07', ''].map(apostrophes),
  (word) => word.replace(/-/g, '\u2010'),
  (word) => word.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  (word) => word.replace(/ß/g, 'ss').replace(/ø/g, 'o').replace(/Ł/g, 'L'),
]

/** Generates a name as somebody who searches for it might type it. */
export const otherSpelling = (name: string): fc.Arbitrary<string> => {
  const words = name.split(' ')
  const changed = words.map((word) =>
    fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.array(fc.constantFrom(...CHANGES), { maxLength: 4 }))
      .map(([part, changes]) => changes.reduce((text, change) => change(text), cut(word, part))),
  )
  return fc
    .tuple(
      fc.tuple(...changed),
      fc.shuffledSubarray([...words.keys()], { minLength: 1 }),
      fc.constantFrom(' ', '  ', ', '),
    )
    .map(([all, order, space]) => order.map((at) => all[at]).join(space))
}
