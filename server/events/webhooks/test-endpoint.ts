import { type Business, businessNow } from '../../businesses/business.ts'
import type { Db } from '../../db/connection.ts'
import { transaction } from '../../db/transaction.ts'
import type { Clock } from '../../lib/clock.ts'
import { newEvent } from '../event.ts'
import type { RecordedEvent } from '../event-object.ts'
import { recordPing } from '../event-queries.ts'
import { countRedelivered, requireBudget } from './redelivery-budget.ts'
import { noSuchEndpoint, requireEnabled, webhookEndpointObject } from './webhook-endpoint.ts'
import { lockEndpoint } from './webhook-endpoint-queries.ts'

/**
 * Records a `ping` that is delivered only to this endpoint, whatever types it receives.
 *
 * @throws ApiError `not_found`; `conflict` for a disabled endpoint; `rate_limited`, because a ping counts as a
 *   redelivery (EVT-143)
 */
export function pingEndpoint(
  { db, clock }: { db: Db; clock: Clock },
  { business, id }: { business: Business; id: string },
): Promise<RecordedEvent> {
  return transaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, business.id, id)
    if (!endpoint) throw noSuchEndpoint('id')
    requireEnabled(endpoint)
    const budget = { businessId: business.id, endpointIds: [id], at: clock.now() }
    await requireBudget(tx, budget)
    await countRedelivered(tx, { ...budget, deliveries: 1 })
    const event = newEvent({
      businessId: business.id,
      type: 'ping',
      objectId: id,
      data: { object: webhookEndpointObject(endpoint) },
      createdAt: businessNow(clock, business),
    })
    const sequence = await recordPing(tx, event)
    return { ...event, sequence }
  })
}
