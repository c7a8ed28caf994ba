/** Key that seals the secrets of endpoints in tests of workers without a service. */
export const WEBHOOK_MASTER_KEY = Buffer.alloc(32, 5)
