/** The calls of the dashboard's pages about payments. */
export type PaymentsApi = Record<never, never>
