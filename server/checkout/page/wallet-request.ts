import type { WalletRecipient, WalletRequest } from '../../../contract/wallet-frame.ts'
import type { Business } from '../../businesses/business.ts'
import type { GooglePayOffer } from '../../google-pay/google-pay.ts'
import { decimalFromCents } from '../../lib/money.ts'
import type { Session } from '../sessions/session.ts'

interface RequestInput {
  business: Pick<Business, 'name' | 'country'>
  session: Pick<Session, 'amountTotal' | 'currency' | 'billingAddressCollection'>
  offer: GooglePayOffer
  /** Whether the e-mail address of the session's customer is known. */
  hasEmail: boolean
}

/**
 * Returns the data with which Google's payment sheet is opened. The amount is the session's without a surcharge: the
 * funding of the card is not known yet, and paying with a wallet token never adds a surcharge.
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
          // MIN includes the postal code, which the issuer compares.
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

/** Whether the session asks for a billing address; the form may also send it as the shipping address. */
const needsFullAddress = ({ billingAddressCollection }: RequestInput['session']) =>
  billingAddressCollection === 'required'

function recipientOf({ gateway, gatewayMerchantId, publicKey }: GooglePayOffer): WalletRecipient {
  return gateway === null || gatewayMerchantId === null
    ? { type: 'DIRECT', parameters: { protocolVersion: 'ECv2', publicKey } }
    : { type: 'PAYMENT_GATEWAY', parameters: { gateway, gatewayMerchantId } }
}
