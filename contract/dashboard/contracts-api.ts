/** The calls of the dashboard's pages about contracts. */
export type ContractsApi = Record<never, never>
