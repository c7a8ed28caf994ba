// Everything that the package exports.
export * from './errors.ts'
export type * from './events.ts'
export type * from './generated/types.ts'
export { List, Page, type PageQuery } from './list.ts'
export type { Fetch, RequestOptions, RialtoOptions } from './options.ts'
export { Rialto } from './rialto.ts'
export type { WebhookHeaders } from './verify-webhook.ts'
export { VERSION } from './version.ts'
