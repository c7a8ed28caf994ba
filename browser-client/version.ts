/** The release; the same as in package.json, which a test compares. */
export const VERSION = '2.0.3'
