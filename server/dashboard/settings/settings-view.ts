import type { Settings } from '../../../contract/dashboard/settings-api.ts'
import { SWITCHABLE_LETTERS } from '../../../contract/letters.ts'
import { LOCALES } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import type { StoredLetterSettings } from '../../businesses/letter-settings.ts'
import { settingsMembers } from '../../businesses/settings-object.ts'
import type { Terminal } from '../../businesses/terminal.ts'
import { logoUrl } from '../../checkout/form/logo-route.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import type { GooglePay } from '../../google-pay/google-pay.ts'
import { RETRY_OFFSETS_DAYS } from '../../subscriptions/plan/retries.ts'
import type { ThreeDsServer } from '../../three-d-secure/three-ds-server.ts'
import { versionOf } from '../version.ts'

/** How many last characters of an account at the gateway are shown. */
const ACCOUNT_END_CHARACTERS = 4

/** Services that are needed to show and change settings. */
export interface SettingsSurroundings {
  links: Links
  /** `null` if the operator has not set one up. */
  threeDsServer: ThreeDsServer | null
  googlePay: Pick<GooglePay, 'prepare'>
}

export function settingsView(
  { business, letters, terminals }: { business: Business; letters: StoredLetterSettings; terminals: Terminal[] },
  { links, threeDsServer }: SettingsSurroundings,
): Settings {
  const { logo, ...members } = settingsMembers(business, letters)
  return {
    object: 'settings',
    ...members,
    locale: LOCALES.find((locale) => locale === business.locale) ?? null,
    version: versionOf({ ...members, logo }),
    currency: business.currency,
    logo_url: logoUrl(business, links),
    view: {
      terminals: terminals.map(terminalView),
      retry_days: [...RETRY_OFFSETS_DAYS],
      letters: [...SWITCHABLE_LETTERS],
      has_three_ds_server: threeDsServer !== null,
    },
  }
}

function terminalView({ id, currency, gateway, merchantCode }: Terminal) {
  return { id, currency, gateway, account: `····${merchantCode.slice(-ACCOUNT_END_CHARACTERS)}` }
}
