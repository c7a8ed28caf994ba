import type {
  ListSubscriptionPaymentsQuery,
  ListSubscriptionsQuery,
  PausePreview,
  PausePreviewRequest,
  PauseRequest,
  Payment,
  ResumedSubscription,
  ResumePreview,
  ResumePreviewRequest,
  ResumeRequest,
  Subscription,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionUpdate,
} from '../generated/types.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import { pathOf } from '../path.ts'
import type { Send } from '../transport.ts'

/** Stored cards that are charged on a schedule. */
export class SubscriptionsResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * With a `payment_method` and a start today the first bill is charged at once; a declined card rejects with a
   * `CardError`. Never sent twice, whatever `maxRetries` is: a repeated create may charge twice. After a lost response
   * list the customer's subscriptions first.
   */
  async create(subscription: SubscriptionCreate, options?: RequestOptions): Promise<Subscription> {
    const once = { ...options, maxRetries: 0 }
    return this.#send<Subscription>({ method: 'POST', path: '/subscriptions', body: subscription, options: once })
  }

  async retrieve(id: string, options?: RequestOptions): Promise<Subscription> {
    return this.#send<Subscription>({ method: 'GET', path: pathOf('subscriptions', id), options })
  }

  list(query: ListSubscriptionsQuery = {}, options?: RequestOptions): List<Subscription> {
    return new List<Subscription>({ send: this.#send, path: '/subscriptions', query: { ...query }, options })
  }

  /** Declined attempts too, each as a payment of its own. */
  listPayments(id: string, query: ListSubscriptionPaymentsQuery = {}, options?: RequestOptions): List<Payment> {
    const path = pathOf('subscriptions', id, '/payments')
    return new List<Payment>({ send: this.#send, path, query: { ...query }, options })
  }

  async retrievePayment(id: string, payment: string, options?: RequestOptions): Promise<Payment> {
    const path = pathOf('subscriptions', id, pathOf('payments', payment))
    return this.#send<Payment>({ method: 'GET', path, options })
  }

  /**
   * Schedules a cancel for the end of the period, or takes it back; or, in a call of its own, replaces the card for the
   * bills to come by `payment_method`. Repeating it changes nothing.
   */
  async update(id: string, changes: SubscriptionUpdate, options?: RequestOptions): Promise<Subscription> {
    const path = pathOf('subscriptions', id)
    return this.#send<Subscription>({ method: 'POST', path, body: changes, repeatable: true, options })
  }

  /** Cancels at once. After a lost response retrieve it: canceling twice rejects with a `ConflictError`. */
  async cancel(id: string, cancel?: SubscriptionCancel, options?: RequestOptions): Promise<Subscription> {
    return this.#send<Subscription>({ method: 'DELETE', path: pathOf('subscriptions', id), body: cancel, options })
  }

  async previewPause(id: string, preview: PausePreviewRequest, options?: RequestOptions): Promise<PausePreview> {
    const path = pathOf('subscriptions', id, '/pause/preview')
    return this.#send<PausePreview>({ method: 'POST', path, body: preview, repeatable: true, options })
  }

  /** While paid time is left, a pause that takes effect at once needs `unused_time_behavior`. */
  async pause(id: string, pause: PauseRequest, options?: RequestOptions): Promise<Subscription> {
    const path = pathOf('subscriptions', id, '/pause')
    return this.#send<Subscription>({ method: 'POST', path, body: pause, options })
  }

  /** Takes back a pause that is scheduled for the end of the period. */
  async undoPause(id: string, options?: RequestOptions): Promise<Subscription> {
    const path = pathOf('subscriptions', id, '/pause-at-period-end/undo')
    return this.#send<Subscription>({ method: 'POST', path, options })
  }

  async previewResume(id: string, preview: ResumePreviewRequest, options?: RequestOptions): Promise<ResumePreview> {
    const path = pathOf('subscriptions', id, '/resume/preview')
    return this.#send<ResumePreview>({ method: 'POST', path, body: preview, repeatable: true, options })
  }

  /**
   * Pass the `quote_hash` of the preview when it has one. A declined card rejects with a `CardError`, and the
   * subscription stays paused. Sent again after a lost response only with an `idempotency_key`.
   */
  async resume(id: string, resume: ResumeRequest, options?: RequestOptions): Promise<ResumedSubscription> {
    const path = pathOf('subscriptions', id, '/resume')
    // Also called without a body by programs that are not type-checked.
    const repeatable = typeof resume?.idempotency_key === 'string'
    return this.#send<ResumedSubscription>({ method: 'POST', path, body: resume, repeatable, options })
  }
}
