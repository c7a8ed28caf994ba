import type { RialtoEvent } from '../events.ts'
import type {
  DeletedWebhookEndpoint,
  EndpointRedelivery,
  EndpointRedeliveryResult,
  ListWebhookEndpointsQuery,
  WebhookEndpoint,
  WebhookEndpointCreate,
  WebhookEndpointUpdate,
  WebhookEndpointWithSecret,
} from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

const KIND = 'webhook_endpoints'

/** Endpoints to which the events of a business are delivered. */
export class WebhookEndpointsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Creates an endpoint. Only this call and `rotateSecret` return the `secret`: store it. */
  async create(endpoint: WebhookEndpointCreate, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#send<WebhookEndpointWithSecret>({ method: 'POST', path: `/${KIND}`, body: endpoint, options })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#send<WebhookEndpoint>({ method: 'GET', path: pathOf(KIND, id), options })
  }

  /**
   * Updates an endpoint. Absent fields stay as they are. Disabling cancels pending deliveries; after enabling,
   * `redeliver` sends missed events.
   */
  async update(id: string, changes: WebhookEndpointUpdate, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#send<WebhookEndpoint>({ method: 'PATCH', path: pathOf(KIND, id), body: changes, options })
  }

  async delete(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint> {
    return this.#send<DeletedWebhookEndpoint>({ method: 'DELETE', path: pathOf(KIND, id), options })
  }

  list(query: ListWebhookEndpointsQuery = {}, options?: RequestOptions): List<WebhookEndpoint> {
    return new List<WebhookEndpoint>({ send: this.#send, path: `/${KIND}`, query: { ...query }, options })
  }

  /** Returns a new secret. For 24 hours the previous secret signs too. After a lost response, rotate again. */
  async rotateSecret(id: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#send<WebhookEndpointWithSecret>({ method: 'POST', path: pathOf(KIND, id, '/rotate_secret'), options })
  }

  /** Delivers a `ping` to this endpoint. */
  async test(id: string, options?: RequestOptions): Promise<RialtoEvent> {
    return this.#send<RialtoEvent>({ method: 'POST', path: pathOf(KIND, id, '/test'), options })
  }

  /**
   * Redelivers events. While `has_more` is true, call it again with `starting_after: last_event`, after `retry_after`
   * seconds if that is not null.
   */
  async redeliver(id: string, which: EndpointRedelivery, options?: RequestOptions): Promise<EndpointRedeliveryResult> {
    const path = pathOf(KIND, id, '/redeliver')
    return this.#send<EndpointRedeliveryResult>({ method: 'POST', path, body: which, options })
  }
}
