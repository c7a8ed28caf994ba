import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'
import { type LimitedLink, linkUntil } from './limited-link.ts'

/** Asks for a card without a subscription that waits for it. @see LTR-7 */
export function cardRequest(words: LetterWords, link: LimitedLink): LetterContent {
  const { say } = words
  return {
    subject: say('card_request_subject'),
    preheader: say('card_request_preheader'),
    heading: say('card_request_heading'),
    amount: null,
    paragraphs: [say('card_request_body')],
    rows: [],
    button: { label: say('card_request_button'), url: link.url },
    notes: [linkUntil(words, link), say('link_is_yours')],
  }
}
