/** Version of the release; a test compares it with package.json. */
export const VERSION = '2.0.3'
