import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WalletFrameData, WalletRecipient, WalletRequest } from '../../contract/wallet-frame.ts'
import { buildBrowserBundles } from '../../server/browser-bundle/build.ts'
import { readPaymentFormScript } from '../../server/browser-bundle/read.ts'
import { walletDocument, walletHeaders } from '../../server/checkout/page/wallet-document.ts'

// The frame of the Google Pay button as {WALLET_URL} serves it, beside the payment page's fixture: with a replacement
// of Google's wallet, or with the simulated one.

export interface WalletHost {
  origin: string
  /** Returns the URL of a frame in a page of this origin. */
  frame(pageOrigin: string, changes?: Partial<WalletFrameData>): string
  close(): Promise<void>
}

const GATEWAY: WalletRecipient = {
  type: 'PAYMENT_GATEWAY',
  parameters: { gateway: 'rialto', gatewayMerchantId: '0198c0de-0000-7000-8000-000000000001' },
}

export const requestWith = (tokenizationSpecification: WalletRecipient = GATEWAY): WalletRequest => ({
  apiVersion: 2,
  apiVersionMinor: 0,
  merchantInfo: { merchantName: 'Northwind Tea' },
  allowedPaymentMethods: [
    {
      type: 'CARD',
      parameters: {
        allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
        allowedCardNetworks: ['VISA', 'MASTERCARD', 'AMEX'],
        assuranceDetailsRequired: true,
        billingAddressRequired: true,
        billingAddressParameters: { format: 'MIN' },
      },
      tokenizationSpecification,
    },
  ],
  transactionInfo: {
    countryCode: 'CA',
    currencyCode: 'CAD',
    totalPriceStatus: 'FINAL',
    totalPrice: '72.41',
    checkoutOption: 'COMPLETE_IMMEDIATE_PURCHASE',
  },
  emailRequired: false,
})

export async function startWalletHost(): Promise<WalletHost> {
  await buildBrowserBundles()
  const { wallet: script } = readPaymentFormScript()
  const frames: WalletFrameData[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', origin)
    const data = frames[Number(url.searchParams.get('frame'))]
    if (url.pathname.endsWith('.js'))
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script.code)
    if (url.pathname !== '/google-pay/button' || !data) return response.writeHead(404).end()
    const scriptUrl = `${origin}/google-pay/${script.file}`
    const isGoogle = data.wallet === 'google'
    const headers = walletHeaders({ walletOrigin: origin, framers: [data.pageOrigin], scriptUrl, isGoogle })
    response.writeHead(200, headers).end(walletDocument(data, { url: scriptUrl, integrity: script.integrity }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    frame(pageOrigin, changes = {}) {
      const index = frames.push({
        wallet: 'google',
        environment: 'TEST',
        pageOrigin,
        locale: 'en',
        cornerRadius: 10,
        request: requestWith(),
        ...changes,
      })
      return `${origin}/google-pay/button?frame=${index - 1}`
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
