import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import type { Currency } from '../lib/money.ts'
import { createTtlCache } from '../lib/ttl-cache.ts'
import type { Business } from './business.ts'
import { findBusiness } from './business-queries.ts'
import type { Terminal } from './terminal.ts'
import { findTerminal } from './terminal-queries.ts'

/**
 * A business as it was within the last second, and its terminal. What must take effect at once is left out: its test
 * clock and the card testing alarm are read with each session.
 */
export interface Merchant {
  business: Omit<Business, 'clockOffsetSeconds' | 'newCardsRefusedUntil'>
  terminal: Terminal
}

/** Looks up merchants. There is one in each process; app.ts creates it. */
export interface Merchants {
  find(businessId: string, currency: Currency): Promise<Merchant | null>
  /** Whether the business exists. */
  knows(businessId: string): Promise<boolean>
  /** Forgets everything, for tests that change a business and read it at once. */
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
        // One after the other, so that a payer holds only one connection at a time, even if the pool is short of them.
        const found = await findBusiness(db, businessId)
        const terminal = found && (await findTerminal(db, businessId, currency))
        if (!found || !terminal) return null
        const { clockOffsetSeconds: _clock, newCardsRefusedUntil: _alarm, ...business } = found
        return { business, terminal }
      }),
  }
}
