import type { Keyring } from '../lib/keyring.ts'
import { openText, sealText } from '../lib/sealed-text.ts'
import type { Letter } from './letter.ts'

// Anyone who has the link of a letter can use it, so letters are stored without it (LTR-110).

/** Placeholder in a stored letter, replaced by the link when the letter is sent. */
export const LETTER_LINK = 'https://link.invalid/'

/** Text in place of the link for readers who may not follow it, and once a code has been wiped. */
const WITHHELD = '[…]'

export interface LinkServices {
  keyring: Keyring
  /** Returns the link of a customer. */
  subscriptionLink(object: { businessId: string; id: string }): string
}

type Linked = Pick<Letter, 'businessId' | 'id' | 'linkId' | 'sealedLink'>

const rowOf = ({ businessId, id }: Pick<Letter, 'businessId' | 'id'>) => `letter ${businessId} ${id}`

export const sealLink = (keyring: Keyring, letter: Pick<Letter, 'businessId' | 'id'>, url: string): Buffer =>
  sealText(keyring, 'seal letters', rowOf(letter), url)

/** @returns `null` for a letter without a link, or if its code has been wiped */
export function linkOfLetter({ keyring, subscriptionLink }: LinkServices, letter: Linked): string | null {
  const { businessId, linkId, sealedLink } = letter
  if (linkId !== null) return subscriptionLink({ businessId, id: linkId })
  return sealedLink && openText(keyring, 'seal letters', rowOf(letter), sealedLink)
}

/** Returns the texts of a letter with its link. @param url `null` withholds the link */
export function withLink<Texts extends Pick<Letter, 'html' | 'text'>>(letter: Texts, url: string | null): Texts {
  // Our links contain no characters that HTML would escape.
  const html = letter.html.replaceAll(LETTER_LINK, url ?? '#')
  return { ...letter, html, text: letter.text.replaceAll(LETTER_LINK, url ?? WITHHELD) }
}

export const hasLink = ({ linkId, sealedLink }: Pick<Letter, 'linkId' | 'sealedLink'>): boolean =>
  linkId !== null || sealedLink !== null
