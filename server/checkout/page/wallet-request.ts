import type { WalletRecipient, WalletRequest } from '../../../contract/wallet-frame.ts'
import type { Business } from '../../businesses/business.ts'
import type { GooglePayOffer } from '../../google-pay/google-pay.ts'
import { decimalFromCents } from '../../lib/money.ts'
import type { Session } from '../sessions/session.ts'

interface RequestInput {
  business: Pick<Business, 'name' | 'country'>
  session: Pick<Session, 'amountTotal' | 'currency' | 'billingAddressCollection'>
  offer: GooglePayOffer
  /** Of the session's customer. */
  hasEmail: boolean
}

/**
 * What Google's sheet is opened with. The amount is the session's without a surcharge: how the card is funded is not
 * known before, and a wallet's token never adds one.
 *
 * @see GPY-9, GPY-11
 */
export function walletRequest({ business, session, offer, hasEmail }: RequestInput): WalletRequest {
  return {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: {
      ...(offer.merchantId !== null && { merchantId: offer.merchantId }),
      merchantName: business.name,
    },
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: {
          allowedAuthMethods: offer.allowedAuthMethods,
          allowedCardNetworks: offer.allowedCardNetworks,
          assuranceDetailsRequired: true,
          billingAddressRequired: true,
          // MIN has the postal code, which the issuer compares.
          billingAddressParameters: { format: needsFullAddress(session) ? 'FULL' : 'MIN' },
        },
        tokenizationSpecification: recipientOf(offer),
      },
    ],
    transactionInfo: {
      countryCode: business.country,
      currencyCode: session.currency,
      totalPriceStatus: 'FINAL',
      totalPrice: decimalFromCents(session.amountTotal).toFixed(2),
      checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE',
    },
    emailRequired: !hasEmail,
  }
}

/** The billing address that the session asks for; the form may send it as the shipping address too. */
const needsFullAddress = ({ billingAddressCollection }: RequestInput['session']) =>
  billingAddressCollection === 'required'

function recipientOf({ gateway, gatewayMerchantId, publicKey }: GooglePayOffer): WalletRecipient {
  return gateway === null || gatewayMerchantId === null
    ? { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey } }
    : { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId } }
}
