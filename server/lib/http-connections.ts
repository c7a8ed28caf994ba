import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a connection may take, in milliseconds. */
export interface Timeouts {
  headersMs: number
  /** Time for headers and body together. */
  requestMs: number
  /** Time without a byte in either direction. Longer than any use case takes. */
  idleMs: number
  /** How often connections are checked for timeouts. */
  lookEveryMs: number
  /** Time of a new connection without a byte. */
  firstByteMs: number
  /** Time without a byte of a response that the peer accepts. */
  unreadMs: number
}

/** Default timeouts (FLT-61). */
export const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 20_000,
  idleMs: 120_000,
  lookEveryMs: 2_000,
  firstByteMs: 5_000,
  unreadMs: 20_000,
}

export interface ConnectionLimits extends Pick<Timeouts, 'firstByteMs' | 'idleMs' | 'unreadMs'> {
  /** Maximum number of connections open at once. */
  max: number
  /** Maximum number of connections of one group. */
  maxPerAddress?: number
  /**
   * Returns the group of an address; `null` for an address that only counts for `max`. Without it, all addresses do.
   */
  groupOf?(address: string): string | null
  /** Called when a connection was closed or refused because no place was free. */
  onFull?(limit: ConnectionLimit): void
}

/** Variable that sets a limit. */
export type ConnectionLimit = 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS'

/**
 * Shares a listener among strangers. If no place is free, the connection that has waited longest for its peer is
 * closed, so that silent connections, however many, keep nobody out. A connection whose request is being handled is not
 * closed; if all are such, the new one is refused.
 *
 * @see FLT-96
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const places = new Places(limits)
  server.on('connection', (socket) => {
    if (!places.enter(socket)) return socket.destroy()
    socket.once('close', () => places.leave(socket))
    socket.setTimeout(limits.firstByteMs)
  })
  server.on('request', (request, response) => watchRequest(request, response, limits, places))
  server.on('timeout', closeSilent)
}

/**
 * Closes a connection whose time has run out, unless a request has arrived that was not read yet: a busy process checks
 * its timers before its connections.
 */
function closeSilent(socket: Socket): void {
  const { bytesRead } = socket
  setImmediate(() => socket.bytesRead === bytesRead && socket.destroy())
}

function watchRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { idleMs, unreadMs }: ConnectionLimits,
  places: Places,
): void {
  const { socket } = request
  socket.setTimeout(idleMs)
  places.waits(socket)
  if (hasBody(request)) request.once('end', () => places.isServed(socket))
  else places.isServed(socket)
  const reads = () => {
    places.waits(socket)
    // The system reports progress of a write, so that this ends only connections whose peer accepts nothing.
    if (!response.writableFinished) socket.setTimeout(unreadMs)
  }
  response.once('pipe', reads)
  response.once('prefinish', reads)
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Connections that share a limit. */
interface Group {
  name: string
  limit: ConnectionLimit
  most: number
  open: number
  /** Connections in the order in which they began to wait for their peer: to send a request, or to read a response. */
  waiting: Set<Socket>
}

class Places {
  readonly #limits: ConnectionLimits
  readonly #all: Group
  readonly #groups = new Map<string, Group>()
  readonly #groupsOf = new Map<Socket, Group[]>()

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
    this.#all = { name: '', limit: 'MAX_CONNECTIONS', most: limits.max, open: 0, waiting: new Set() }
  }

  /** @returns whether there was a place */
  enter(socket: Socket): boolean {
    const groups = this.#groupsFor(socket.remoteAddress ?? '')
    if (!groups.every((group) => this.#hasPlace(group))) return false
    this.#groupsOf.set(socket, groups)
    for (const group of groups) {
      if (group !== this.#all) this.#groups.set(group.name, group)
      group.open += 1
      group.waiting.add(socket)
    }
    return true
  }

  leave(socket: Socket): void {
    for (const group of this.#groupsOf.get(socket) ?? []) {
      group.open -= 1
      group.waiting.delete(socket)
      if (group.open === 0) this.#groups.delete(group.name)
    }
    this.#groupsOf.delete(socket)
  }

  /** Marks the connection as waiting for its peer from now on. */
  waits(socket: Socket): void {
    for (const { waiting } of this.#groupsOf.get(socket) ?? []) {
      waiting.delete(socket)
      waiting.add(socket)
    }
  }

  isServed(socket: Socket): void {
    for (const { waiting } of this.#groupsOf.get(socket) ?? []) waiting.delete(socket)
  }

  #groupsFor(address: string): Group[] {
    const { maxPerAddress, groupOf } = this.#limits
    const name = groupOf?.(address) ?? null
    if (name === null || maxPerAddress === undefined) return [this.#all]
    const empty: Group = {
      name,
      limit: 'MAX_CONNECTIONS_PER_ADDRESS',
      most: maxPerAddress,
      open: 0,
      waiting: new Set(),
    }
    return [this.#groups.get(name) ?? empty, this.#all]
  }

  /** Whether the group has a free place. If necessary, it closes a waiting connection to make one. */
  #hasPlace(group: Group): boolean {
    if (group.open < group.most) return true
    this.#limits.onFull?.(group.limit)
    const [longest] = group.waiting
    if (!longest) return false
    this.leave(longest)
    longest.destroy()
    return true
  }
}
