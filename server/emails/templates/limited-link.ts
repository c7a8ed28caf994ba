import type { LetterWords } from './letter-words.ts'

/** Link that expires. */
export interface LimitedLink {
  url: string
  expiresAt: Date
}

/** Says until when the link works. */
export const linkUntil = ({ say, moment }: LetterWords, { expiresAt }: LimitedLink): string =>
  say('link_until', { date: moment(expiresAt) })
