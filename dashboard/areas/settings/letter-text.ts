import type { SETTINGS_TEXTS } from './texts/texts.ts'

type LetterText = `letter_${string}` & keyof typeof SETTINGS_TEXTS.english

/** The key of a letter's name: `customer.refund` is `letter_customer_refund`. */
export const letterText = (letter: string) => `letter_${letter.replace('.', '_')}` as LetterText
