import { changeSettings } from '../../server/businesses/change-settings.ts'
import { transaction } from '../../server/db/transaction.ts'
import { ensureRecipientKey } from '../../server/google-pay/change-recipient-keys.ts'
import { type SimulatedCard, type SimulatedToken, simulateToken } from '../../server/google-pay/simulated-wallet.ts'
import { newId } from '../../server/lib/ids.ts'
import type { TestService } from './service.ts'

const PAN_ONLY: SimulatedCard = {
  authMethod: 'PAN_ONLY',
  pan: '4111111111111111',
  expirationMonth: 12,
  expirationYear: 2031,
}
export const DEVICE: SimulatedCard = {
  ...PAN_ONLY,
  authMethod: 'CRYPTOGRAM_3DS',
  pan: '4895370012003478',
  cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  eciIndicator: '05',
}

interface WalletOptions {
  businessId?: string
  /** `null` if Rialto is the gateway. */
  merchantId?: string | null
  cryptogramOnly?: boolean
}

export type WalletOf = Awaited<ReturnType<typeof acceptGooglePay>>

/** Turns Google Pay on for a business. @returns its wallet, which creates a new token on each call */
export async function acceptGooglePay({ app, demo }: TestService, options: WalletOptions = {}) {
  const { businessId = demo.business_id, merchantId = '12345678901234567890', cryptogramOnly = false } = options
  const { services } = app
  const owner = { businessId: merchantId === null ? null : businessId }
  const key = await transaction(services.db, async (tx) => {
    await changeSettings(tx, businessId, {
      settings: {
        googlePayEnabled: true,
        googlePayMerchantId: merchantId,
        googlePayCryptogramOnly: cryptogramOnly,
      },
    })
    return ensureRecipientKey({ ...services, db: tx }, owner)
  })
  services.merchants.forget()
  return {
    key,
    owner,
    token: (card: Partial<SimulatedCard> = {}, more: Partial<SimulatedToken> = {}): string =>
      simulateToken({
        recipientId: merchantId === null ? 'gateway:rialto' : `merchant:${merchantId}`,
        publicKey: key.publicKey,
        card: { ...PAN_ONLY, ...card },
        gatewayMerchantId: merchantId === null ? businessId : undefined,
        expiresAt: new Date(services.clock.now().getTime() + 3_600_000),
        messageId: newId(),
        ...more,
      }),
  }
}

export const walletBody = (googlePayToken: unknown, more: object = {}) => ({
  payment_method_type: 'google_pay',
  amount: 25.5,
  googlePayToken,
  ...more,
})
