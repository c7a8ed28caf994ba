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
   * Creates a subscription. With a `payment_method` and a start today, the first bill is charged at once; a declined
   * card rejects with a `CardError`. The request is never sent twice, whatever `maxRetries` is, because that may charge
   * twice. After a lost response, list the customer's subscriptions first.
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

  /** Lists the payments, including declined attempts, each as a separate payment. */
  listPayments(id: string, query: ListSubscriptionPaymentsQuery = {}, options?: RequestOptions): List<Payment> {
    const path = pathOf('subscriptions', id, '/payments')
    return new List<Payment>({ send: this.#send, path, query: { ...query }, options })
  }

  async retrievePayment(id: string, payment: string, options?: RequestOptions): Promise<Payment> {
    const path = pathOf('subscriptions', id, pathOf('payments', payment))
    return this.#send<Payment>({ method: 'GET', path, options })
  }

  /**
   * Schedules a cancellation for the end of the period, or revokes it; or, in a separate call, replaces the card for
   * future bills by `payment_method`. A repeated call changes nothing.
   */
  async update(id: string, changes: SubscriptionUpdate, options?: RequestOptions): Promise<Subscription> {
    const path = pathOf('subscriptions', id)
    return this.#send<Subscription>({ method: 'POST', path, body: changes, repeatable: true, options })
  }

  /** Cancels at once. After a lost response, retrieve it: canceling twice rejects with a `ConflictError`. */
  async cancel(id: string, cancel?: SubscriptionCancel, options?: RequestOptions): Promise<Subscription> {
    return this.#send<Subscription>({ method: 'DELETE', path: pathOf('subscriptions', id), body: cancel, options })
  }

  async previewPause(id: string, preview: PausePreviewRequest, options?: RequestOptions): Promise<PausePreview> {
    const path = pathOf('subscriptions', id, '/pause/preview')
    return this.#send<PausePreview>({ method: 'POST', path, body: preview, repeatable: true, options })
  }

  /** Pauses it. A pause that takes effect at once needs `unused_time_behavior` while paid time is left. */
  async pause(id: string, pause: PauseRequest, options?: RequestOptions): Promise<Subscription> {
    const path = pathOf('subscriptions', id, '/pause')
    return this.#send<Subscription>({ method: 'POST', path, body: pause, options })
  }

  /** Revokes a pause that is scheduled for the end of the period. */
  async undoPause(id: string, options?: RequestOptions): Promise<Subscription> {
    const path = pathOf('subscriptions', id, '/pause-at-period-end/undo')
    return this.#send<Subscription>({ method: 'POST', path, options })
  }

  async previewResume(id: string, preview: ResumePreviewRequest, options?: RequestOptions): Promise<ResumePreview> {
    const path = pathOf('subscriptions', id, '/resume/preview')
    return this.#send<ResumePreview>({ method: 'POST', path, body: preview, repeatable: true, options })
  }

  /**
   * Resumes it. Pass the `quote_hash` of the preview if it has one. A declined card rejects with a `CardError`, and the
   * subscription stays paused. After a lost response it is only sent again with an `idempotency_key`.
   */
  async resume(id: string, resume: ResumeRequest, options?: RequestOptions): Promise<ResumedSubscription> {
    const path = pathOf('subscriptions', id, '/resume')
    // Programs that are not type-checked may call it without a body.
    const repeatable = typeof resume?.idempotency_key === 'string'
    return this.#send<ResumedSubscription>({ method: 'POST', path, body: resume, repeatable, options })
  }
}
