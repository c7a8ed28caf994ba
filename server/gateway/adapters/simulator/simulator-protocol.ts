import type { Exchange } from '../../../lib/http-exchange.ts'
import type { Cents } from '../../../lib/money.ts'
import type {
  Gateway,
  GatewayResult,
  InquiryResult,
  ListRequest,
  ListResult,
  MoneyRequest,
  SaleRequest,
  Terminal,
  VerificationResult,
  VerifyRequest,
} from '../../gateway.ts'
import { batchResult, settleResult } from './simulator-batch.ts'
import { readList } from './simulator-list.ts'
import { classifyInquiry, classifyTransaction } from './simulator-results.ts'

/** As with real gateways, an inquiry may overtake the request that it concerns. */
const NOT_FOUND_FINAL_AFTER_MS = 120_000
/** Number of transactions per page, about 100 KB. */
const LIST_PAGE = 500

/** Sends one request to the simulator and returns the outcome. Never rejects. */
export type Transport = (
  op: 'sale' | 'verify' | 'void' | 'refund' | 'inquire' | 'list' | 'batch' | 'settle',
  request: SimulatorRequest,
) => Promise<Exchange>

export interface SimulatorRequest {
  terminal: Terminal
  body: object
  mayStillSend?: (() => boolean) | undefined
  signal: AbortSignal
}

export interface ProtocolOptions {
  /** Default: 120 s. Tests with scaled waits pass less. */
  notFoundFinalAfterMs?: number
}

/** Returns the gateway port, implemented with the simulator's JSON protocol over the given transport. */
export function simulatorOver(
  transport: Transport,
  options: ProtocolOptions & { close: () => Promise<void> },
): Gateway {
  const { notFoundFinalAfterMs = NOT_FOUND_FINAL_AFTER_MS, close } = options
  return {
    capabilities: { notFoundFinalAfterMs, partialApproval: true, verification: true, batches: true },
    async sale(request) {
      if (request.currency !== request.terminal.currency) return wrongCurrency(request)
      return transactionResult(await transport('sale', simulatorRequest(request, saleBody(request))), request.amount)
    },
    async verify(request) {
      return verificationResult(await transport('verify', simulatorRequest(request, verifyBody(request))))
    },
    async void(request) {
      const { merchantRef, gatewayRef } = request
      return transactionResult(await transport('void', simulatorRequest(request, { merchantRef, gatewayRef })), null)
    },
    async refund(request) {
      const { merchantRef, gatewayRef, amount } = request
      return transactionResult(
        await transport('refund', simulatorRequest(request, { merchantRef, gatewayRef, amount })),
        amount,
      )
    },
    async inquire({ terminal, merchantRef, signal }) {
      return inquiryResult(await transport('inquire', { terminal, body: { merchantRef }, signal }))
    },
    async list(request) {
      const { terminal, signal } = request
      return listResult(await transport('list', { terminal, body: listBody(request), signal }))
    },
    async inquireBatch({ terminal, batch, signal }) {
      return batchResult(await transport('batch', { terminal, body: { currency: terminal.currency, batch }, signal }))
    },
    async settle({ terminal, batch, mayStillSend, signal }) {
      const body = { currency: terminal.currency, batch }
      return settleResult(await transport('settle', { terminal, body, mayStillSend, signal }))
    },
    close,
  }
}

function simulatorRequest({ terminal, mayStillSend, signal }: MoneyRequest, body: object): SimulatorRequest {
  return { terminal, body, mayStillSend, signal }
}

function saleBody({ merchantRef, amount, currency, ...request }: SaleRequest): object {
  return { merchantRef, amount, currency, ...payerFields(request) }
}

function verifyBody({ merchantRef, terminal, ...request }: VerifyRequest): object {
  return { merchantRef, currency: terminal.currency, ...payerFields(request) }
}

function payerFields({
  source,
  cvv,
  threeDs,
  storedCredential,
}: Pick<SaleRequest, 'source' | 'cvv' | 'threeDs' | 'storedCredential'>): object {
  const { kind: _, ...card } = source
  return { card, cvv, threeDs, storedCredential }
}

function verificationResult(exchange: Exchange): VerificationResult {
  const result = transactionResult(exchange, 0 as Cents)
  return result.outcome === 'partial' ? { outcome: 'unknown', message: 'a verification cannot be partial' } : result
}

function transactionResult(exchange: Exchange, requested: Cents | null): GatewayResult {
  if (exchange.kind === 'not_sent') return { outcome: 'not_sent', message: exchange.message }
  if (exchange.kind === 'no_response') return { outcome: 'unknown', message: exchange.message }
  if (exchange.status !== 200) return { outcome: 'unknown', message: `HTTP ${exchange.status}` }
  return classifyTransaction(exchange.body, requested)
}

function inquiryResult(exchange: Exchange): InquiryResult {
  if (exchange.kind !== 'response') return { found: 'indeterminate', message: exchange.message }
  if (exchange.status !== 200) return { found: 'indeterminate', message: `HTTP ${exchange.status}` }
  return classifyInquiry(exchange.body)
}

function listBody({ terminal, from, until, after }: ListRequest): object {
  return { currency: terminal.currency, from: from.getTime(), until: until.getTime(), after, limit: LIST_PAGE }
}

function listResult(exchange: Exchange): ListResult {
  if (exchange.kind !== 'response') return { listed: false, message: exchange.message }
  if (exchange.status !== 200) return { listed: false, message: `HTTP ${exchange.status}` }
  return readList(exchange.body)
}

function wrongCurrency({ currency, terminal }: SaleRequest): GatewayResult {
  const message = `the terminal takes ${terminal.currency}, not ${currency}`
  return { outcome: 'refused', reason: 'configuration', message }
}
