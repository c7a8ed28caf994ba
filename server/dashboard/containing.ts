/** The pattern of lower-case text that contains `text`: what would be wildcards in it stand for themselves. */
export const containing = (text: string): string => `%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
