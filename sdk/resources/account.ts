import type { Account, AccountResponse } from '../generated/types.ts'
import type { RequestOptions } from '../options.ts'
import type { Send } from '../transport.ts'

/** Who the secret key belongs to. */
export class AccountResource {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The business and the key: a first call that shows whether the key works. */
  async retrieve(options?: RequestOptions): Promise<Account> {
    const { data } = await this.#send<AccountResponse>({ method: 'GET', path: '/account', options })
    return data
  }
}
