const CHARACTERS_MAX = 1_000

/**
 * Returns somebody else's text for a terminal, without what would move its cursor, change its colours or end its line.
 */
export const printable = (text: string): string => text.slice(0, CHARACTERS_MAX).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
