import type { Static } from 'typebox'
import type { CustomersQuery } from '../../../contract/dashboard/customers-api.ts'
import type { Business } from '../../businesses/business.ts'
import { dayRange } from '../day-range.ts'
import type { CustomerFilter } from './customers-queries.ts'

type Given = Pick<Partial<Static<typeof CustomersQuery>>, 'search' | 'has_card' | 'has_subscription' | 'from' | 'to'>

/** @throws ApiError `validation_failed` when the last day is before the first */
export const filterOf = (
  { id: businessId, timeZone }: Business,
  { search, has_card: hasCard, has_subscription: hasSubscription, ...days }: Given,
): CustomerFilter => ({ businessId, search, hasCard, hasSubscription, ...dayRange(days, timeZone) })
