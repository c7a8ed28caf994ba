import { LettersChange, SettingsChange } from '../../../contract/dashboard/settings-api.ts'
import type { RenderPaymentPage } from '../../../contract/payment-page.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { AccessContext } from '../../access/shared/context.ts'
import { findTerminalById } from '../../businesses/terminal-queries.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { Route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Gateways } from '../../payments/call-gateway.ts'
import type { GatewayTimings } from '../../payments/operation.ts'
import { testTerminal } from '../../payments/test-terminal.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { newPlace } from '../new-place.ts'
import { brandingRoutes } from './branding-routes.ts'
import { editSettings, lettersEditFrom, readSettings, settingsEditFrom } from './edit-settings.ts'
import { googlePayKeyRoutes } from './google-pay-key-routes.ts'
import { letterRoutes } from './letter-routes.ts'
import { limitsRoutes } from './limits-routes.ts'
import type { SettingsSurroundings } from './settings-view.ts'

export interface SettingsServices extends SettingsSurroundings, Pick<AccessContext, 'db' | 'keyring' | 'environment'> {
  clock: Clock
  gateways: Gateways
  timings: GatewayTimings
  renderPage: RenderPaymentPage
  letterLimit: LetterLimit
}

/** Returns the routes for the settings of the business, except its people. */
export function settingsRoutes(dashboard: DashboardRoutes, services: SettingsServices): Route[] {
  const { db } = dashboard
  const settingsOf = ({ business }: Member) => readSettings(db, business.id, services)
  return [
    dashboard.read('GET /settings', {
      permission: 'settings.read',
      handle: async ({ member }) => ({ body: await settingsOf(member) }),
    }),
    dashboard.write('PATCH /settings', {
      permission: 'settings.write',
      action: 'settings.change',
      body: SettingsChange,
      stepUp: async ({ member, body: sent }) =>
        newPlace(['support_email', 'terms_url', 'privacy_url'], { before: await settingsOf(member), sent }),
      handle: ({ member, body: { version, ...sent } }, tx) =>
        editSettings(tx, { businessId: member.business.id, version, edit: settingsEditFrom(sent) }, services),
    }),
    dashboard.write('PATCH /settings/letters', {
      permission: 'letters.write',
      action: 'settings.change',
      body: LettersChange,
      stepUp: async ({ member, body: sent }) =>
        newPlace(['reply_to', 'notified_emails'], { before: await settingsOf(member), sent }),
      handle: ({ member, body: { version, ...sent } }, tx) =>
        editSettings(tx, { businessId: member.business.id, version, edit: lettersEditFrom(sent) }, services),
    }),
    dashboard.preview('POST /settings/terminals/{id}/test', {
      permission: 'settings.write',
      async handle({ member, params }) {
        const { id = '' } = params
        const terminal = isUuid(id) ? await findTerminalById(db, member.business.id, id) : null
        if (!terminal) throw new ApiError('not_found', { message: 'No such terminal' })
        const { isReached, message, milliseconds } = await testTerminal(services, terminal)
        return { body: { object: 'terminal_test' as const, is_reached: isReached, message, milliseconds } }
      },
    }),
    ...brandingRoutes(dashboard, services),
    ...letterRoutes(dashboard, services),
    ...limitsRoutes(dashboard),
    ...googlePayKeyRoutes(dashboard, services),
  ]
}
