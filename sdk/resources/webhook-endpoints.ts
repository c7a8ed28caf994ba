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

/** Where the events of a business are delivered to. */
export class WebhookEndpointsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The `secret` is shown here and by `rotateSecret` only: store it. */
  async create(endpoint: WebhookEndpointCreate, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#send<WebhookEndpointWithSecret>({ method: 'POST', path: `/${KIND}`, body: endpoint, options })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#send<WebhookEndpoint>({ method: 'GET', path: pathOf(KIND, id), options })
  }

  /** Absent fields stay. Disabling cancels what waits; after enabling, `redeliver` sends what was missed. */
  async update(id: string, changes: WebhookEndpointUpdate, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.#send<WebhookEndpoint>({ method: 'PATCH', path: pathOf(KIND, id), body: changes, options })
  }

  async delete(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint> {
    return this.#send<DeletedWebhookEndpoint>({ method: 'DELETE', path: pathOf(KIND, id), options })
  }

  list(query: ListWebhookEndpointsQuery = {}, options?: RequestOptions): List<WebhookEndpoint> {
    return new List<WebhookEndpoint>({ send: this.#send, path: `/${KIND}`, query: { ...query }, options })
  }

  /** For 24 hours the previous secret signs too. After a lost response rotate again. */
  async rotateSecret(id: string, options?: RequestOptions): Promise<WebhookEndpointWithSecret> {
    return this.#send<WebhookEndpointWithSecret>({ method: 'POST', path: pathOf(KIND, id, '/rotate_secret'), options })
  }

  /** Delivers a `ping` to this endpoint. */
  async test(id: string, options?: RequestOptions): Promise<RialtoEvent> {
    return this.#send<RialtoEvent>({ method: 'POST', path: pathOf(KIND, id, '/test'), options })
  }

  /**
   * While `has_more` is true, call it again with `starting_after: last_event`; after `retry_after` seconds, unless that
   * is null.
   */
  async redeliver(id: string, which: EndpointRedelivery, options?: RequestOptions): Promise<EndpointRedeliveryResult> {
    const path = pathOf(KIND, id, '/redeliver')
    return this.#send<EndpointRedeliveryResult>({ method: 'POST', path, body: which, options })
  }
}
