/** The calls of the dashboard's pages about batches. */
export type BatchesApi = Record<never, never>
