import type {
  WebhookDisabledReason,
  WebhookEndpoint as WebhookEndpointObject,
  WebhookEndpointWithSecret,
} from '../../../contract/webhook-endpoint.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'

/** Endpoint at which a business receives its events. Times are real time. */
export interface WebhookEndpoint {
  businessId: string
  id: string
  /** URL without user name and password. */
  url: string
  /** Sealed user name and password of HTTP basic authentication (EVT-144). */
  basicAuth: Buffer | null
  description: string | null
  /** Event types, or `*` for all. */
  enabledEvents: string[]
  ordered: boolean
  status: 'enabled' | 'disabled'
  /** `null` exactly while the endpoint is enabled. */
  disabledReason: WebhookDisabledReason | null
  /** Time of the first failed attempt since the last successful one. */
  failingSince: Date | null
  createdAt: Date
}

/** Sealed secrets that sign the deliveries. */
export interface SealedSecrets {
  secret: Buffer
  /** Also signs until `previousSecretUntil`. */
  previousSecret: Buffer | null
  previousSecretUntil: Date | null
}

/** Returns the endpoint without its secret, as it is shown after its creation. */
export function webhookEndpointObject(endpoint: WebhookEndpoint): WebhookEndpointObject {
  const { id, url, description, enabledEvents, ordered, status, disabledReason, failingSince } = endpoint
  return {
    id,
    object: 'webhook_endpoint',
    url,
    basic_auth: endpoint.basicAuth !== null,
    description,
    enabled_events: enabledEvents,
    ordered,
    status,
    disabled_reason: disabledReason,
    failing_since: failingSince && epochSeconds(failingSince),
    created: epochSeconds(endpoint.createdAt),
  }
}

/** Returns what the audit log says about an endpoint. */
export function auditedEndpoint(endpoint: WebhookEndpoint) {
  const { url, basic_auth, description, enabled_events, ordered, status } = webhookEndpointObject(endpoint)
  return { url, basic_auth, description, enabled_events, ordered, status }
}

/** Returns what the audit log says about a change, including one of only user name or password. */
export function auditedChange(before: WebhookEndpoint, after: WebhookEndpoint) {
  const isReplaced = before.basicAuth && after.basicAuth && !before.basicAuth.equals(after.basicAuth)
  return {
    before: auditedEndpoint(before),
    after: { ...auditedEndpoint(after), ...(isReplaced && { basic_auth: 'replaced' }) },
  }
}

/** Returns the endpoint with its secret, for the response to a create or a rotation (EVT-12). */
export const withSecret = (endpoint: WebhookEndpoint, secret: string): WebhookEndpointWithSecret => ({
  ...webhookEndpointObject(endpoint),
  secret,
})

/** Returns the error for an unknown endpoint. @param field the parameter that named the endpoint */
export const noSuchEndpoint = (field: 'id' | 'webhook_endpoint') =>
  new ApiError('not_found', {
    message: 'No such webhook endpoint',
    errors: { [field]: ['does not exist in this business'] },
  })

/** @throws ApiError `conflict` for a disabled endpoint, which receives nothing */
export function requireEnabled({ status }: WebhookEndpoint): void {
  if (status === 'enabled') return
  throw new ApiError('conflict', { message: 'The webhook endpoint is disabled: enable it first' })
}
