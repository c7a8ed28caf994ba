import { ApiError } from '../errors.ts'
import type { TestClock, TestClockAdvance, TestClockAdvanced } from '../generated/types.ts'
import type { RequestOptions } from '../options.ts'
import type { Send } from '../transport.ts'

/** Timeout of one request, longer than it takes on the server. */
const ADVANCE_TIMEOUT_MS = 120_000
/** Maximum number of requests, far more than an advance of ten years takes. */
const REQUESTS_MAX = 1_000

const endless = () =>
  new ApiError({
    type: 'api_error',
    code: 'unreadable_response',
    message: `The clock has not reached its target after ${REQUESTS_MAX} requests`,
  })

/**
 * The clock of the business, which can be moved ahead of real time. Staging only; in production the path does not
 * exist.
 */
export class TestClockResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  async retrieve(options?: RequestOptions): Promise<TestClock> {
    return this.#send<TestClock>({ method: 'GET', path: '/test_clock', options })
  }

  /**
   * Moves the clock of the business forward, and runs everything that becomes due. Pass one of `to`, `seconds` and
   * `days`. A long advance takes several requests, and `ran` contains the sums. After an error, read the clock before
   * you advance it again.
   */
  async advance(advance: TestClockAdvance, options?: RequestOptions): Promise<TestClockAdvanced> {
    let advanced = await this.#advanceOnce(advance, options)
    for (let requests = 1; !advanced.done; requests++) {
      const { ran } = advanced
      if (requests === REQUESTS_MAX) throw endless()
      const more = await this.#advanceOnce({ to: advanced.target }, options)
      advanced = {
        ...more,
        ran: {
          bills: ran.bills + more.ran.bills,
          approved: ran.approved + more.ran.approved,
          declined: ran.declined + more.ran.declined,
          in_doubt: more.ran.in_doubt,
          expired_sessions: ran.expired_sessions + more.ran.expired_sessions,
        },
      }
    }
    return advanced
  }

  #advanceOnce(body: TestClockAdvance, options?: RequestOptions): Promise<TestClockAdvanced> {
    const patient = { timeoutMs: ADVANCE_TIMEOUT_MS, ...options }
    return this.#send<TestClockAdvanced>({ method: 'POST', path: '/test_clock/advance', body, options: patient })
  }
}
