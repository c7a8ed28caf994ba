import type { Business } from '../../server/businesses/business.ts'
import { findBusiness } from '../../server/businesses/business-queries.ts'
import type { TestService } from './service.ts'

/** Returns the demo business. */
export async function businessOf({ app, demo }: Pick<TestService, 'app' | 'demo'>): Promise<Business> {
  const business = await findBusiness(app.services.db, demo.business_id)
  if (!business) throw new Error('The demo business is missing')
  return business
}
