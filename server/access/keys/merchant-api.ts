import type { Db } from '../../db/connection.ts'
import type { Access, Limit } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { KeyCaller } from './secret-key.ts'

/** What every route of the merchant API is made of. */
export interface MerchantApi {
  db: Db
  clock: Clock
  secretKey: Access<KeyCaller>
  /** 60 a minute for each key (ACC-25). */
  keyLimits: Limit<KeyCaller>[]
}
