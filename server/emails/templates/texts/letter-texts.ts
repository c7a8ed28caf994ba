import type { Translated } from '../../../../contract/text.ts'
import type { en } from './en.ts'

/** The English catalog defines the shape: a language with a missing or an extra text does not compile. */
export type LetterTexts = Translated<typeof en>
