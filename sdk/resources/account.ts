import type { Account, AccountResponse } from '../generated/types.ts'
import type { RequestOptions } from '../options.ts'
import type { Send } from '../transport.ts'

/** The business to which the secret key belongs. */
export class AccountResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Returns the business and the key. Use it to check that the key works. */
  async retrieve(options?: RequestOptions): Promise<Account> {
    const { data } = await this.#send<AccountResponse>({ method: 'GET', path: '/account', options })
    return data
  }
}
