/** The calls of the dashboard's pages about customers. */
export type CustomersApi = Record<never, never>
