import { AllowedIpBody } from '../../../contract/dashboard/credentials-api.ts'
import { removeAllowedIp } from '../../access/remove-allowed-ip.ts'
import { allowIp } from '../../access/shared/allowed-ip.ts'
import { selectAllowedIpUse } from '../../access/shared/allowed-ip-queries.ts'
import type { AccessContext } from '../../access/shared/context.ts'
import type { Route } from '../../http/route.ts'
import { addSeconds, epochSeconds } from '../../lib/clock.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { wholeList } from '../list-object.ts'
import { allowedIpObject } from './credential-objects.ts'
import { listRefusedAddresses } from './refusal-queries.ts'

const DAY_SECONDS = 86_400

/** Returns the routes of the addresses that access tokens work from (ACC-18). */
export function addressRoutes(dashboard: DashboardRoutes, context: AccessContext): Route[] {
  const { db, clock, environment } = context
  return [
    dashboard.read('GET /allowed_ips', {
      permission: 'addresses.write',
      async handle({ member, ip }) {
        const businessId = member.business.id
        const since = addSeconds(clock.now(), -DAY_SECONDS)
        const [rows, refused] = await Promise.all([
          selectAllowedIpUse(db, businessId, environment),
          listRefusedAddresses(db, { businessId, since }),
        ])
        const shown = refused.map(({ lastAt, ...row }) => ({ ...row, last_at: epochSeconds(lastAt) }))
        const view = { your_ip: ip, refused: shown }
        return { body: { ...wholeList(rows, allowedIpObject), view } }
      },
    }),
    dashboard.write('POST /allowed_ips', {
      permission: 'addresses.write',
      action: 'allowed_ip.add',
      stepUp: 'allowed_ip',
      body: AllowedIpBody,
      async handle({ member, body }, tx) {
        const businessId = member.business.id
        const address = await allowIp({ ...context, db: tx }, { businessId, address: body.address })
        const rows = await selectAllowedIpUse(tx, businessId, environment)
        const row = rows.find((one) => one.address === address) ?? { address, createdAt: clock.now(), lastSeenAt: null }
        return { status: 201, body: allowedIpObject(row), audit: { object: null, after: { address } } }
      },
    }),
    dashboard.write('POST /allowed_ips/remove', {
      permission: 'addresses.write',
      action: 'allowed_ip.remove',
      stepUp: 'allowed_ip',
      body: AllowedIpBody,
      async handle({ member, body }, tx) {
        const which = { businessId: member.business.id, address: body.address }
        const address = await removeAllowedIp({ ...context, db: tx }, which)
        return { body: { address, removed: true as const }, audit: { object: null, before: { address } } }
      },
    }),
  ]
}
