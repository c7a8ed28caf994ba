import type { Static } from 'typebox'
import type { CustomersQuery } from '../../../contract/dashboard/customers-api.ts'
import type { Business } from '../../businesses/business.ts'
import type { CustomerFilter } from './customers-queries.ts'

type Given = Pick<Partial<Static<typeof CustomersQuery>>, 'search' | 'has_card' | 'has_subscription'>

export const filterOf = (
  { id: businessId }: Business,
  { search, has_card: hasCard, has_subscription: hasSubscription }: Given,
): CustomerFilter => ({ businessId, search, hasCard, hasSubscription })
