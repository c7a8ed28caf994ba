/** The calls of the dashboard's pages about home. */
export type HomeApi = Record<never, never>
