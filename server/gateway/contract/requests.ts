import type { Cents } from '../../lib/money.ts'
import type { SaleRequest, VerifyRequest } from '../gateway.ts'

// Requests of the contract tests: sales of 10.00 at the terminal `shop`, each with a new reference.

let refs = 0

export function newRef(): string {
  refs += 1
  return `ref-${refs}`
}

export function deadline(): AbortSignal {
  return AbortSignal.timeout(10_000)
}

/**
 * Ends a call `ms` milliseconds after it is sent. A signal alone would count from the call itself and, on a busy
 * machine, could fire before anything is sent.
 */
export function endsAfter(ms: number): { signal: AbortSignal; mayStillSend: () => boolean } {
  const ending = new AbortController()
  const mayStillSend = () => {
    setTimeout(() => ending.abort(new DOMException('ended', 'TimeoutError')), ms)
    return true
  }
  return { signal: ending.signal, mayStillSend }
}

export function transaction() {
  return { terminal: { id: 'shop', currency: 'USD' }, merchantRef: newRef(), signal: deadline() } as const
}

export function saleRequest({
  number = '4242424242424242',
  ...change
}: Partial<SaleRequest> & { number?: string }): SaleRequest {
  const source = { kind: 'pan', number, expMonth: 12, expYear: 2090 } as const
  return { ...transaction(), amount: 1000 as Cents, currency: 'USD', source, cvv: '123', ...change }
}

export function verifyRequest(change: Partial<VerifyRequest> & { number?: string }): VerifyRequest {
  const { amount: _amount, currency: _currency, ...request } = saleRequest(change)
  return request
}
