/** The calls of the dashboard's pages about subscriptions. */
export type SubscriptionsApi = Record<never, never>
