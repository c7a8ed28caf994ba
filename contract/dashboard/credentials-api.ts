/** The calls of the dashboard's pages about credentials. */
export type CredentialsApi = Record<never, never>
