/** The calls of the dashboard's pages about sessions. */
export type SessionsApi = Record<never, never>
