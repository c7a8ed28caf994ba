import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'

/** Asks for a card that no subscription waits for. @see LTR-7 */
export function cardRequest(
  { say, row, moment }: LetterWords,
  { url, expiresAt }: { url: string; expiresAt: Date },
): LetterContent {
  return {
    subject: say('card_request_subject'),
    preheader: say('card_request_preheader'),
    heading: say('card_request_heading'),
    amount: null,
    paragraphs: [say('card_request_body')],
    rows: row('valid_until', moment(expiresAt)),
    button: { label: say('card_request_button'), url },
    notes: [say('link_is_yours')],
  }
}
