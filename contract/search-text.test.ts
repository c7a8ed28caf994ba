import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { otherSpelling, someName } from '../test/support/names-of-the-world.ts'
import { hasSearchWords, SPACING_ACCENTS, searchForm, searchWords } from './search-text.ts'

describe('A search', () => {
  for (const [typed, stored] of [
    ['muller', 'Müller'],
    ['Mu\u0308ller', 'MÜLLER'],
    ["o'brien", 'Siobhán O\u2019Brien'],
    ['o\u2019brien', 'O\u02bcBRIEN'],
    ['obrien', "O'Brien"],
    ['dupont jean', 'Jean Dupont'],
    ['Dupont, J.', 'J.-M. Dupont'],
    ['jean pierre', 'Jean-Pierre'],
    ['jean-pierre', 'Jean\u2010Pierre Roy'],
    ['strasse', 'Hauptstraße 5'],
    ['STRASSE', 'straẞe'],
    ['istanbul', 'İstanbul'],
    ['ISPARTA', 'Isparta ve Iğdır ısparta'],
    ['lodz', 'Łódź'],
    ['soren aero', 'Søren Ærø'],
    ['dang van', 'Văn Đặng'],
    ['jose', 'ＪＯＳÉ'],
    ['カタカナ', 'ｶﾀｶﾅ'],
    ['ガ', 'ｶﾞ'],
    ['伟', '王伟'],
    ['محمد', 'مُحَمَّد'],
    ['مُحَمَّد', 'محمد'],
    ['احمد', 'أحمد'],
    ['שלום', 'שָׁלוֹם'],
    ['सुरेश', 'सुरेश कुमार'],
    ['ΟΔΟΣ', 'οδός'],
    ['йод', 'Йод'],
    ['lgal', 'Col·lgal'],
    ['٠١٢', '012'],
    ['ana  lee', 'Ana\u00a0Lee'],
  ] as const)
    test(`for ${typed} finds ${stored}`, () => equal(hasSearchWords(stored, typed), true, searchForm(stored)))

  for (const [typed, stored] of [
    ['muller anna', 'Müller'],
    ['सरेश', 'सुरेश'],
    ['かく', 'がく'],
    ['王芳', '王伟'],
    ['jean-pierre', 'Pierre Jean'],
  ] as const)
    test(`for ${typed} does not find ${stored}`, () => equal(hasSearchWords(stored, typed), false))

  test('finds a name in any case, accents, apostrophes, normal form and order, by beginnings of its words', () => {
    fc.assert(
      fc.property(
        someName().chain((name) => otherSpelling(name).map((typed) => ({ name, typed }))),
        ({ name, typed }) => ok(hasSearchWords(name, typed), `${searchForm(name)} / ${searchForm(typed)}`),
      ),
      { numRuns: 5_000 },
    )
  })

  test('finds whatever contains what was typed', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 })
    fc.assert(
      fc.property(text, text, text, (before, typed, after) => {
        fc.pre(!/^\p{M}/u.test(after))
        ok(hasSearchWords(before + typed + after, typed))
      }),
      { numRuns: 5_000 },
    )
  })

  test('compares forms that do not change any more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        equal(searchForm(searchForm(text)), searchForm(text))
        // The compatibility decomposition turns an accent that stands alone into a space.
        const standsAlone = [...SPACING_ACCENTS].some((accent) => text.includes(accent))
        for (const form of standsAlone ? ['NFC', 'NFD'] : ['NFC', 'NFD', 'NFKC', 'NFKD'])
          equal(searchForm(text.normalize(form)), searchForm(text))
      }),
      { numRuns: 5_000 },
    )
  })

  test('looks for ten words at most, the longest', () => {
    const words = Array.from({ length: 100 }, (_, n) => 'a'.repeat(n + 1))
    deepEqual(searchWords(words.join(' ')), words.slice(-10).reverse())
    deepEqual(searchWords(" ' - \u0301 a a "), ['a'])
  })
})
