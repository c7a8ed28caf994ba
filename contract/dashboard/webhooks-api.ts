/** The calls of the dashboard's pages about webhooks. */
export type WebhooksApi = Record<never, never>
