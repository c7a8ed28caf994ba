/** The calls of the dashboard's pages about entry. */
export type EntryApi = Record<never, never>
