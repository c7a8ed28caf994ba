import type { Page } from 'playwright-core'
import { may, PERMISSIONS, type Role } from '../../contract/permissions.ts'
import type { DashboardClient } from './dashboard.ts'
import type { TestService } from './service.ts'

/** Stands for `GET /dashboard/api/me` until the service has it. */
export async function standInForMe(page: Page, service: TestService, client: DashboardClient): Promise<void> {
  if (service.app.routes.some(({ path }) => path === '/dashboard/api/me')) return
  const rows = await service.app.services.db
    .selectFrom('business_member')
    .innerJoin('business', 'business.id', 'business_member.business_id')
    .select(['business.id', 'business.name', 'business.currency', 'business.country', 'business.time_zone', 'role'])
    .where('user_id', '=', client.userId)
    .execute()
  const { userId: id, email, sessionId } = client
  const seconds = Math.floor(Date.now() / 1000)
  const body = {
    object: 'me',
    user: { id, email, name: email, locale: null, second_factor: true, totp: true, step_up_methods: ['password'] },
    session: { id: sessionId, expires_at: seconds + 43_200, idle_seconds: 900, stepped_up_until: null },
    csrf_token: client.csrf,
    environment: 'staging',
    must_add_second_factor: false,
    may_create_business: false,
    businesses: rows.map((row) => ({
      ...row,
      clock_offset_seconds: 0,
      permissions: PERMISSIONS.filter((permission) => may(row.role as Role, permission, 'staging')),
    })),
  }
  await page.route('**/dashboard/api/me', (route) => route.fulfill({ json: body }))
}
