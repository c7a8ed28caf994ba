import type { RialtoEvent } from '../events.ts'
import type { EventRedelivery, ListEventsQuery, Redelivery, WebhookDelivery } from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Events, as webhooks deliver them. */
export class EventsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async retrieve(id: string, options?: RequestOptions): Promise<RialtoEvent> {
    return this.#send<RialtoEvent>({ method: 'GET', path: pathOf('events', id), options })
  }

  list(query: ListEventsQuery = {}, options?: RequestOptions): List<RialtoEvent> {
    return new List<RialtoEvent>({ send: this.#send, path: '/events', query: { ...query }, options })
  }

  /** Lists the deliveries of an event, one per endpoint, each with its newest attempts; all in one page. */
  async listDeliveries(id: string, options?: RequestOptions): Promise<WebhookDelivery[]> {
    const path = pathOf('events', id, '/deliveries')
    return (await this.#send<{ data: WebhookDelivery[] }>({ method: 'GET', path, options })).data
  }

  /** Redelivers an event to every enabled endpoint that receives its type, or to one of them. */
  async redeliver(id: string, which?: EventRedelivery, options?: RequestOptions): Promise<Redelivery> {
    return this.#send<Redelivery>({ method: 'POST', path: pathOf('events', id, '/redeliver'), body: which, options })
  }
}
