import { deepEqual, equal, ok } from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type ConnectionLimit, limitConnections } from './http-connections.ts'

const [MAX, PER_ADDRESS] = [8, 3]
const PROXY = '10.0.0.5'
const ADDRESSES = ['203.0.113.1', '203.0.113.2', '::ffff:203.0.113.2', '2001:db8::1', '2001:db8::2', '127.0.0.1', PROXY]
/** Groups of addresses: some share a group, and some have none. */
const GROUP_OF: Record<string, string | null> = {
  '203.0.113.1': 'first',
  '203.0.113.2': 'second',
  '::ffff:203.0.113.2': 'second',
  '2001:db8::1': 'network',
  '2001:db8::2': 'network',
  '127.0.0.1': null,
  [PROXY]: null,
}

/** A connection without a network. */
class Peer extends EventEmitter {
  isOpen = true
  isServed = false
  timeoutMs = 0
  readonly remoteAddress: string

  constructor(address: string) {
    super()
    this.remoteAddress = address
  }

  setTimeout(milliseconds: number): void {
    this.timeoutMs = milliseconds
  }

  destroy(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.emit('close')
  }
}

class Listener {
  readonly server = new EventEmitter()
  readonly full: ConnectionLimit[] = []
  /** Peers in the order in which they began to wait. */
  waiting: Peer[] = []
  peers: Peer[] = []

  constructor() {
    limitConnections(this.server as Server, {
      max: MAX,
      maxPerAddress: PER_ADDRESS,
      groupOf: (address) => GROUP_OF[address] ?? null,
      firstByteMs: 5,
      idleMs: 120,
      unreadMs: 20,
      onFull: (limit) => this.full.push(limit),
    })
  }

  open(address: string): Peer {
    const peer = new Peer(address)
    this.server.emit('connection', peer)
    this.peers.push(peer)
    if (peer.isOpen) this.waiting.push(peer)
    return peer
  }

  /** @param hasBody whether the body is still to come */
  request(peer: Peer, hasBody = false): { body: () => void; respond: () => void } {
    const headers = hasBody ? { 'content-length': '2' } : {}
    const request = Object.assign(new EventEmitter(), { socket: peer, headers })
    const response = Object.assign(new EventEmitter(), { writableFinished: true })
    this.server.emit('request', request, response)
    return { body: () => request.emit('end'), respond: () => response.emit('prefinish') }
  }

  openOf(group: string | null): Peer[] {
    return this.peers.filter((peer) => peer.isOpen && GROUP_OF[peer.remoteAddress] === group)
  }
}

type Step = { what: 'open'; address: string } | { what: 'request' | 'respond' | 'close'; which: number }

const STEPS = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constant('open' as const), address: fc.constantFrom(...ADDRESSES) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constantFrom('request' as const, 'respond' as const, 'close' as const),
        which: fc.nat(),
      }),
    },
  ),
  { minLength: 10, maxLength: 120 },
)

describe('FLT-96: connections are shared among strangers', () => {
  test('in any order of events the limits hold, nobody served is closed, and the longest waiting goes', () => {
    fc.assert(
      fc.property(STEPS, (steps) => {
        const listener = new Listener()
        for (const step of steps) take(listener, step as Step)
        for (const peer of listener.peers) peer.destroy()
        ok(listener.open('203.0.113.1').isOpen, 'every place is free again')
      }),
      { numRuns: 500 },
    )
  })

  test('a body that does not come, and a response that is not read, keep no place', () => {
    const listener = new Listener()
    const senders = Array.from({ length: MAX }, () => listener.open('127.0.0.1'))
    const requests = senders.map((peer) => listener.request(peer, true))
    listener.open('203.0.113.1')
    equal(senders[0]?.isOpen, false, 'its body has not arrived')
    for (const { body } of requests) body()
    listener.open('203.0.113.2')
    equal(senders.filter(({ isOpen }) => isOpen).length, MAX - 1, 'these are served: 203.0.113.1 has gone')
    requests[3]?.respond()
    listener.request(listener.open('203.0.113.1'))
    deepEqual(senders.map(({ isOpen }) => isOpen).filter((isOpen) => !isOpen).length, 1)
    listener.open('203.0.113.1')
    equal(senders[3]?.isOpen, false, 'it does not read')
  })

  test('where all are being served, the next is refused', () => {
    const listener = new Listener()
    for (let count = 0; count < MAX; count++) listener.request(listener.open('127.0.0.1'))
    equal(listener.open('127.0.0.1').isOpen, false)
    deepEqual(listener.full, ['MAX_CONNECTIONS'])
  })

  test('a connection has 5 s for its first byte, and a reader 20 s for each', () => {
    const listener = new Listener()
    const peer = listener.open('127.0.0.1')
    equal(peer.timeoutMs, 5)
    const request = Object.assign(new EventEmitter(), { socket: peer, headers: {} })
    const response = Object.assign(new EventEmitter(), { writableFinished: false })
    listener.server.emit('request', request, response)
    equal(peer.timeoutMs, 120)
    response.emit('prefinish')
    equal(peer.timeoutMs, 20)
  })
})

function take(listener: Listener, step: Step): void {
  if (step.what === 'open') opened(listener, step.address)
  else happens(listener, step)
}

function happens(listener: Listener, step: Exclude<Step, { what: 'open' }>): void {
  const open = listener.peers.filter(({ isOpen }) => isOpen)
  const peer = open[step.which % Math.max(1, open.length)]
  if (!peer) return
  listener.waiting = listener.waiting.filter((other) => other !== peer)
  if (step.what === 'close') peer.destroy()
  else if (step.what === 'request') {
    listener.request(peer)
    peer.isServed = true
  } else {
    listener.request(peer).respond()
    peer.isServed = false
    listener.waiting.push(peer)
  }
}

/** Opens a connection and compares what happened with what should have happened. */
function opened(listener: Listener, address: string): void {
  const group = GROUP_OF[address] ?? null
  const before = listener.peers.filter(({ isOpen }) => isOpen)
  const ofGroup = group === null ? [] : listener.openOf(group)
  const isGroupFull = group !== null && ofGroup.length === PER_ADDRESS
  const waiting = listener.waiting.filter(({ isOpen }) => isOpen)
  const candidates = isGroupFull ? waiting.filter((peer) => ofGroup.includes(peer)) : waiting
  const isFull = isGroupFull || before.length === MAX
  const peer = listener.open(address)
  equal(peer.isOpen, !isFull || candidates.length > 0)
  const closed = before.filter(({ isOpen }) => !isOpen)
  deepEqual(closed, isFull && candidates[0] ? [candidates[0]] : [])
  ok(closed.every(({ isServed }) => !isServed))
  ok(listener.peers.filter(({ isOpen }) => isOpen).length <= MAX)
  if (group !== null) ok(listener.openOf(group).length <= PER_ADDRESS)
}
