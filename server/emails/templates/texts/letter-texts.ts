import type { Translated } from '../../../../contract/text.ts'
import type { en } from './en.ts'

/** The English catalogue is the shape: a language that misses a text, or has one too many, does not compile. */
export type LetterTexts = Translated<typeof en>
