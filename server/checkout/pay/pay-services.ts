import type { Merchants } from '../../businesses/merchants.ts'
import type { GooglePay } from '../../google-pay/google-pay.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { ChargeServices } from '../../payments/services.ts'
import type { BinTable } from '../../vault/bin-table.ts'
import type { SessionTokens } from '../sessions/session-token.ts'
import type { CardTestingDefence } from './card-testing.ts'
import type { SignUps } from './sign-ups.ts'

/** The services that pay a session. */
export interface SessionServices extends ChargeServices {
  bins: BinTable
  keyring: Keyring
  cardTesting: CardTestingDefence
  merchants: Merchants
  sessionTokens: SessionTokens
  googlePay: GooglePay
}

export interface PayServices extends SessionServices {
  signUps: SignUps
}
