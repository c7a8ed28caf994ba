import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'

/** @see LTR-24 */
export function contractLink({ say, row }: LetterWords, { title, url }: { title: string; url: string }): LetterContent {
  return {
    subject: say('contract_subject'),
    preheader: say('contract_preheader'),
    heading: say('contract_heading'),
    amount: null,
    paragraphs: [say('contract_body')],
    rows: row('contract', title),
    button: { label: say('contract_button'), url },
    notes: [say('link_is_yours')],
  }
}
