import type { LetterWords } from './letter-words.ts'

/** A link that ends by itself. */
export interface LimitedLink {
  url: string
  expiresAt: Date
}

/** Says until when it works. */
export const linkUntil = ({ say, moment }: LetterWords, { expiresAt }: LimitedLink): string =>
  say('link_until', { date: moment(expiresAt) })
