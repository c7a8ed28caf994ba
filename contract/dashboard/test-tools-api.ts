/** The calls of the dashboard's pages about test tools. */
export type TestToolsApi = Record<never, never>
