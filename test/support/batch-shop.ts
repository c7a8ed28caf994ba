import { CARDS } from './card-numbers.ts'
import { merchantOf, type Response } from './merchant.ts'
import { type MerchantApiClient, merchantApiOf } from './merchant-api.ts'
import { openService, type TestService, type TestServiceOptions } from './service.ts'
import { type StoredCardIds, storeCard } from './stored-card.ts'

/** A service with one payment of 25.50 on a stored card, and the calls about its batches. */
export interface BatchShop extends AsyncDisposable {
  service: TestService
  api: MerchantApiClient
  stored: StoredCardIds
  balance(query?: string): Promise<Response>
  settle(body?: unknown): Promise<Response>
}

export async function openBatchShop(options: TestServiceOptions = {}): Promise<BatchShop> {
  return batchShopOf(await openService(options))
}

export async function batchShopOf<Service extends TestService>(
  service: Service,
): Promise<BatchShop & { service: Service }> {
  const merchant = merchantOf(service)
  const stored = await storeCard(service, 'ana@example.com', { cardNumber: CARDS.mastercard })
  return {
    service,
    stored,
    api: merchantApiOf(service),
    balance: (query = '') => merchant.get(`/batch/balance${query}`),
    settle: (body = {}) => merchant.post('/batch/settle', body),
    [Symbol.asyncDispose]: () => service.close(),
  }
}
