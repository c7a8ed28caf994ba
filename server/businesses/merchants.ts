import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import type { Currency } from '../lib/money.ts'
import { createTtlCache } from '../lib/ttl-cache.ts'
import type { Business } from './business.ts'
import { findBusiness } from './business-queries.ts'
import type { Terminal } from './terminal.ts'
import { findTerminal } from './terminal-queries.ts'

/**
 * A business as it was within the last second, and its terminal. Without what must count at once: its test clock and
 * the alarm of card testing are read with each session.
 */
export interface Merchant {
  business: Omit<Business, 'clockOffsetSeconds' | 'newCardsRefusedUntil'>
  terminal: Terminal
}

/** One for each process: app.ts makes it. */
export interface Merchants {
  find(businessId: string, currency: Currency): Promise<Merchant | null>
  /** Whether there is such a business. */
  knows(businessId: string): Promise<boolean>
  /** For tests that change a business and look at once. */
  forget(): void
}

export function createMerchants({ db, clock }: { db: Db; clock: Clock }): Merchants {
  const cache = createTtlCache<Merchant>(clock)
  const known = createTtlCache<true>(clock)
  return {
    forget: () => cache.clear(),
    knows: async (businessId) =>
      (await known.get(businessId, async () => (await findBusiness(db, businessId)) && true)) === true,
    find: (businessId, currency) =>
      cache.get(`${businessId} ${currency}`, async () => {
        // One after the other: whoever pays holds one connection at a time, also when the pool is short of them.
        const found = await findBusiness(db, businessId)
        const terminal = found && (await findTerminal(db, businessId, currency))
        if (!found || !terminal) return null
        const { clockOffsetSeconds: _clock, newCardsRefusedUntil: _alarm, ...business } = found
        return { business, terminal }
      }),
  }
}
