/** The calls of the dashboard's pages about team. */
export type TeamApi = Record<never, never>
