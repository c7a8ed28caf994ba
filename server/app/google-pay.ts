import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config.ts'
import { createGooglePay, type GooglePay, type GooglePayParts } from '../google-pay/google-pay.ts'
import { fetchedRootKeys, GOOGLE_ROOT_KEYS_URL, type RootKeys, simulatedRootKeys } from '../google-pay/root-keys.ts'
import type { Clock } from '../lib/clock.ts'

/** Whether the wallet is simulated: in staging, unless a URL names Google's keys. */
const isWalletSimulated = ({ environment, googlePayRootKeysUrl }: Config): boolean =>
  environment === 'staging' && googlePayRootKeysUrl === null

/** Returns the keys whose tokens are trusted: Google's or the simulated wallet's, never both (GPY-8). */
export const rootKeysOf = (config: Config, parts: { clock: Clock; log: FastifyBaseLogger }): RootKeys =>
  isWalletSimulated(config)
    ? simulatedRootKeys()
    : fetchedRootKeys({ ...parts, url: config.googlePayRootKeysUrl ?? GOOGLE_ROOT_KEYS_URL })

export const googlePayOf = (
  config: Config,
  parts: Omit<GooglePayParts, 'environment' | 'isSimulated' | 'gateway' | 'operatorMerchantId' | 'hasOrigin'>,
): GooglePay =>
  createGooglePay({
    ...parts,
    environment: config.environment,
    isSimulated: isWalletSimulated(config),
    hasOrigin: new URL(config.walletUrl).origin !== new URL(config.dashboardUrl).origin,
    gateway: config.googlePayGateway,
    operatorMerchantId: config.googlePayMerchantId,
  })
