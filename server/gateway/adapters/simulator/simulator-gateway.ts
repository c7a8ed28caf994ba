// This import loads only half of undici, in half the time: the rest is its fetch, caches and WebSocket.
import Agent from 'undici/lib/dispatcher/agent.js'
import { type Exchange, postOnce } from '../../../lib/http-exchange.ts'
import { SECRET_HEADER } from '../../../lib/local-caller.ts'
import type { Gateway } from '../../gateway.ts'
import type { SimulatorAccess } from '../../simulator/access.ts'
import { type ProtocolOptions, type SimulatorRequest, simulatorOver } from './simulator-protocol.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Idle timeout of sockets; shorter than the simulator's own, so that this side closes an idle socket first. */
const IDLE_SOCKET_MS = 60_000

/**
 * Returns a gateway that calls the simulator over HTTP. Any number of requests may be in flight, each on its own
 * socket.
 *
 * @param url base URL of the simulator, e.g. `http://127.0.0.1:4010`
 * @param secret the secret that the running simulator expects
 */
export function simulatorGateway({ url, secret, ...options }: SimulatorAccess & ProtocolOptions): Gateway {
  const { origin } = new URL(url)
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The caller's signal is the only deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_SOCKET_MS,
    keepAliveMaxTimeout: IDLE_SOCKET_MS,
    // One request per socket at a time, so that no request waits behind a slow response.
    pipelining: 1,
    allowH2: false,
  })
  return simulatorOver(
    async (op, request) =>
      parsed(await postOnce(agent, { ...postRequest(request, secret), origin, path: `/v1/${op}` })),
    { ...options, close: () => agent.destroy() },
  )
}

function postRequest({ terminal, body, mayStillSend, signal }: SimulatorRequest, secret: string) {
  const headers = {
    authorization: `Bearer ${terminal.id}`,
    'content-type': 'application/json',
    [SECRET_HEADER]: secret,
  }
  return { headers, body: JSON.stringify(body), mayStillSend, signal }
}

/** Parses a body; one that is not JSON is `no_response`. The parser's message is dropped because it quotes the body. */
function parsed(exchange: Exchange<string>): Exchange {
  if (exchange.kind !== 'response') return exchange
  try {
    return { ...exchange, body: JSON.parse(exchange.body) }
  } catch {
    return { kind: 'no_response', message: `HTTP ${exchange.status} with a body that is not JSON` }
  }
}
