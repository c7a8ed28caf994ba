// Only half of undici: the rest is its fetch, caches and WebSocket.
import Agent from 'undici/lib/dispatcher/agent.js'
import type { Acquirer } from '../../../businesses/terminal.ts'
import { type Exchange, postOnce } from '../../../lib/http-exchange.ts'
import { buildAreq, cardLookupBody, messageCategoryOf } from '../../areq.ts'
import {
  type AuthenticationRequest,
  MESSAGE_VERSIONS,
  type MessageVersion,
  type ThreeDsServer,
} from '../../three-ds-server.ts'
import type { Reply } from './three-ds-io-errors.ts'
import { readCardRange } from './three-ds-io-lookup.ts'
import { readAres, readRreq } from './three-ds-io-results.ts'

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_SOCKET_MS = 60_000

export interface ThreeDsIoOptions {
  /** Base URL, with or without a path: `https://service.3dsecure.io`. */
  url: string
  key: string
  /** Hosts of issuers whose pages may lack TLS: those of a simulator in staging. */
  plainHosts?: readonly string[]
  /** Versions that we support, newest last; all by default. Version 2.3.1 requires our addresses to use HTTPS. */
  versions?: readonly MessageVersion[]
  /** Acquirer for terminals without one, in staging. Without it, such terminals cannot authenticate a payment. */
  testAcquirer?: Acquirer
}

/**
 * Returns a 3-D Secure server with the HTTP API of 3dsecure.io: `/preauth`, `/auth` and `/postauth`. Nothing is retried
 * and no redirect is followed. Results contain neither the key nor card data.
 *
 * @see TDS-18
 */
export function threeDsIoServer({
  url,
  key,
  plainHosts = [],
  versions = MESSAGE_VERSIONS,
  testAcquirer,
}: ThreeDsIoOptions): ThreeDsServer {
  const { origin, pathname } = new URL(url)
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The caller's signal is the only deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_SOCKET_MS,
    keepAliveMaxTimeout: IDLE_SOCKET_MS,
    pipelining: 1,
    allowH2: false,
  })
  const headers = { APIKey: key, 'content-type': 'application/json; charset=utf-8', accept: 'application/json' }
  const post = async (endpoint: string, body: object, signal: AbortSignal) => {
    const path = `${pathname.replace(/\/+$/, '')}/${endpoint}`
    return parsed(await postOnce(agent, { origin, path, headers, body: JSON.stringify(body), signal }))
  }
  return {
    async lookUp({ number, signal }) {
      return readCardRange(await post('preauth', cardLookupBody(number), signal), { plainHosts, versions })
    },
    async authenticate(request) {
      const complete = withAcquirer(request, testAcquirer)
      if (!complete) return { outcome: 'failed', errorCode: null, component: null, message: NO_ACQUIRER }
      const areq = await buildAreq(complete)
      const reply = await post('auth', areq, request.signal)
      return readAres(reply, { ...request, fields: Object.keys(areq), plainHosts })
    },
    async challengeResult(inquiry) {
      const body = { threeDSServerTransID: inquiry.serverTransactionId }
      return readRreq(await post('postauth', body, inquiry.signal), inquiry)
    },
    close: () => agent.destroy(),
  }
}

const NO_ACQUIRER =
  'the terminal has no acquirer for 3-D Secure: npm run business -- acquirer (docs/operating/three-d-secure.md)'

/** Adds the acquirer. A payment must name it; the addition of a card need not. `null` if it is required but unknown. */
function withAcquirer(request: AuthenticationRequest, testAcquirer: Acquirer | undefined) {
  const { acquirerBin, acquirerMerchantId, categoryCode } = request.merchant
  const isKnown = acquirerBin !== null && acquirerMerchantId !== null && categoryCode !== null
  if (isKnown) return request
  if (testAcquirer) return { ...request, merchant: { ...request.merchant, ...testAcquirer } }
  return messageCategoryOf(request) === '02' ? request : null
}

/**
 * Parses a response; the body of an error is read like any other. The parser's message is dropped, because it quotes
 * the body.
 */
function parsed(exchange: Exchange<string>): Reply {
  if (exchange.kind !== 'response') return { problem: exchange.message }
  const { status } = exchange
  try {
    return { status, message: JSON.parse(exchange.body) }
  } catch {
    return { problem: `HTTP ${status} with a body that is not JSON`, status }
  }
}
