import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateway } from '../../gateway.ts'
import type { Exchange } from '../../http-exchange.ts'
import type { Reply } from '../../simulator/record.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { type Carry, type DialectOptions, type Errand, speakSimulator } from './simulator-protocol.ts'

/**
 * The simulator without a socket, for tests and benchmarks that are not about the wire. Everything the wire can do to an
 * answer happens here too. Closing it closes the simulator.
 */
export function directSimulatorGateway(simulator: Simulator, options: DialectOptions = {}): Gateway {
  return speakSimulator(carryInto(simulator), { ...options, close: () => simulator.close() })
}

function carryInto(simulator: Simulator): Carry {
  return async (op, errand) => {
    if (errand.signal.aborted) return { kind: 'not_sent', message: 'the deadline had passed' }
    const down = simulator.script.down()
    if (down === 'refuse') return { kind: 'not_sent', message: 'ECONNREFUSED' }
    if (errand.mayStillSend?.() === false) return { kind: 'not_sent', message: 'the request is no longer ours to send' }
    if (down === 'silence') return silence(errand.signal)
    if (down) return { kind: 'no_answer', message: 'the gateway is down' }

    const reply = await simulator.ask(op, errand.terminal.id, errand.body).catch(() => null)
    if (!reply) return { kind: 'no_answer', message: 'the simulator failed' }
    const exchange = await carryBack(reply, errand)
    const delivered = exchange.kind === 'answer' && reply.delivery === 'answer' ? 'yes' : 'no'
    if (reply.row) simulator.ledger.noteDelivery(reply.row, delivered, simulator.script.now())
    return exchange
  }
}

async function carryBack({ answer, delivery, waitMs }: Reply, { signal }: Errand): Promise<Exchange> {
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
  if (signal.aborted || delivery === 'silence') return silence(signal)
  if (delivery === 'reset' || delivery === 'half') return { kind: 'no_answer', message: 'ECONNRESET' }
  if (delivery === 'answer') return { kind: 'answer', status: 200, body: answer }
  return { kind: 'answer', status: delivery.status, body: jsonOrText(delivery.body) }
}

async function silence(signal: AbortSignal): Promise<Exchange> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return { kind: 'no_answer', message: 'the deadline has passed' }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
