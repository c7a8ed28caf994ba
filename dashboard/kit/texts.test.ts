import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shownLocale } from './locale.ts'
import { defineTexts, showLocale, type Texts, withTexts } from './texts.ts'

interface HeldTexts {
  texts: Texts<{ title: string }>
  loaded(locale: 'fr-CA' | 'es'): void
}

const all: HeldTexts[] = []

/** Returns a catalogue whose languages are loaded when the test says so. */
function heldTexts(english: string): HeldTexts {
  const held = { 'fr-CA': Promise.withResolvers<void>(), es: Promise.withResolvers<void>() }
  const module = (locale: keyof typeof held) => async () => {
    await held[locale].promise
    return { texts: { title: `${english}, ${locale}` } }
  }
  const texts = defineTexts({ title: english }, { 'fr-CA': module('fr-CA'), es: module('es') })
  const one: HeldTexts = { texts, loaded: (locale) => held[locale].resolve() }
  all.push(one)
  return one
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('what is shown never waits for texts', () => {
  test('another language is shown when the texts of all parts are there, and of parts that came meanwhile', async () => {
    const first = heldTexts('First')
    const shown = showLocale('es')
    const second = heldTexts('Second')
    first.loaded('es')
    await turn()
    equal(shownLocale(), 'en')
    second.loaded('es')
    await shown
    equal(shownLocale(), 'es')
    deepEqual(
      [first, second].map(({ texts }) => texts.loadedIn('es')?.title),
      ['First, es', 'Second, es'],
    )
  })

  test('a part that is loaded later comes when its texts are there', async () => {
    const part = heldTexts('Part')
    let isShown = false
    const shown = withTexts(Promise.resolve('part')).then(() => {
      isShown = true
    })
    await turn()
    equal(isShown, false)
    part.loaded('es')
    await shown
    equal(part.texts.loadedIn('es')?.title, 'Part, es')
  })

  test('the last of two choices is shown, whichever loads first', async () => {
    const french = showLocale('fr-CA')
    await showLocale('es')
    for (const { loaded } of all) loaded('fr-CA')
    await french
    equal(shownLocale(), 'es')
  })

  test('texts that cannot be loaded are English', async () => {
    const fails = () => Promise.reject(new Error('offline'))
    const texts = defineTexts({ title: 'English' }, { 'fr-CA': fails, es: fails })
    equal((await texts.load('es')).title, 'English')
  })
})
