import type { LetterContent } from './letter-view.ts'
import type { LetterWords } from './letter-words.ts'

/** @see LTR-8 */
export function endpointDisabled(
  { say, row, date }: LetterWords,
  { url, reason, at }: { url: string; reason: string; at: Date },
): LetterContent {
  return {
    subject: say('endpoint_subject', { host: URL.canParse(url) ? new URL(url).host : url }),
    preheader: say('endpoint_preheader'),
    heading: say('endpoint_heading'),
    amount: null,
    paragraphs: [
      say('endpoint_body'),
      say(reason === 'gone' ? 'endpoint_gone' : 'endpoint_failing'),
      say('endpoint_next'),
    ],
    rows: [...row('endpoint', url), ...row('date', date(at))],
    button: null,
    notes: [],
  }
}
