import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { lineAt, product, stringsOf, text } from './tree.ts'

// Browsers format the days of a locale differently, and an update may change the format. A day that a program reads
// comes from the parts of a format (dashboard/kit/days.ts) or from Temporal.

/** Locales that are tempting because their days look like ISO 8601. */
const TEMPTING = ['en-CA', 'fr-CA', 'sv-SE', 'sv']

test('no day that a program reads comes from how a locale writes it', () => {
  const found = product.flatMap((file) => {
    const source = text(file)
    const places = [
      ...[...source.matchAll(/\.toLocaleDateString\(/g)].map(({ index }) => index),
      ...stringsOf(file)
        .filter(({ value, start }) => TEMPTING.includes(value) && /[fF]ormat(ter)?\($/.test(source.slice(0, start)))
        .map(({ start }) => start),
    ]
    return places.map((start) => `${file}:${lineAt(file, start)}`)
  })
  deepEqual(found, [])
})
