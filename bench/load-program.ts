// One load, in a process of its own: `node bench/load-program.ts '<json of Load>'` prints a LoadResult as JSON.

import { Client } from 'undici'
import { CARDS } from '../test/support/card-numbers.ts'
import { type LoadResult, timed } from './timed.ts'

/**
 * Payer of a load. `known`: one customer for all payments. `new`: the payment creates its customer. `kept`: it also
 * stores the card. `declined`: the gateway declines.
 */
export type Payer = 'known' | 'new' | 'kept' | 'declined'

export interface Load {
  url: string
  /** Operation of one round. `pay` uses tokens that already exist. */
  operation: 'create' | 'pay' | 'whole'
  connections: number
  seconds: number
  createPath: string
  headers: Record<string, string>
  /** The payer, which also decides how the payment ends. */
  payer?: Payer
  /** Tokens for `pay`. */
  tokens?: string[]
  cardNumber?: string
}

const session = (email: string) =>
  JSON.stringify({
    amount_total: 25.99,
    currency: 'USD',
    customer_email: email,
    success_url: 'https://shop.example/ok',
    cancel_url: 'https://shop.example/no',
    metadata: { order: '42' },
  })

const SESSION = session('buyer@example.com')
/**
 * Prefix of this process, so that another run has other customers. It has letters: digits alone may look like a card
 * number.
 */
const RUN = [process.pid, Date.now()].map((number) => `r${number.toString(36)}`).join('')
let buyers = 0
const newSession = () => session(`buyer-${RUN}-${++buyers}@example.com`)

const card = (cardNumber: string, saveCard = false) =>
  JSON.stringify({
    payment_method_type: 'new_card',
    amount: 25.99,
    cardData: { cardNumber, month: '12', year: 2031, nameOnCard: 'Ana Roy', cvv: '123', saveCard },
  })

/** Payment of a session that {@link makeTokens} has created. */
export const PAYMENT = card(CARDS.visa)

export function runLoad(load: Load): Promise<LoadResult> {
  const tokens = [...(load.tokens ?? [])]
  const { payer = 'known' } = load
  const body = card(load.cardNumber ?? (payer === 'declined' ? CARDS.declined : CARDS.visa), payer === 'kept')
  const sessionOf = payer === 'new' || payer === 'kept' ? newSession : () => SESSION
  return timed(load, () => {
    const client = new Client(load.url, { pipelining: 1 })
    const post = (path: string, text: string, headers: Record<string, string>) => postJson(client, path, text, headers)
    return {
      async once() {
        if (load.operation === 'pay') {
          const token = tokens.pop()
          return token === undefined ? 'nothing left' : (await post(`/api/checkout/${token}/pay`, body, {})).ok
        }
        const created = await post(load.createPath, sessionOf(), load.headers)
        if (!created.ok || load.operation === 'create') return said(created, created.ok)
        const paid = await post(`/api/checkout/${created.checkout_session?.token}/pay`, body, {})
        return said(paid, payer === 'declined' ? paid.code === 'ND' : paid.ok)
      },
      close: () => client.close(),
    }
  })
}

let isNamed = false

/** Checks a response. The first refusal of this process is printed, so that a failed load can be understood. */
function said<Body extends { ok: boolean; code?: string }>(response: Body, expected: boolean): boolean {
  if (!expected && !isNamed) {
    isNamed = true
    console.error('A request of the load failed:', JSON.stringify(response))
  }
  return expected
}

async function postJson(client: Client, path: string, body: string, headers: Record<string, string>) {
  const all = { 'content-type': 'application/json', ...headers }
  const response = await client.request({ method: 'POST', path, headers: all, body })
  return (await response.body.json()) as { ok: boolean; code?: string; checkout_session?: { token: string } }
}

/** Creates tokens of new sessions, as fast as possible. */
export async function makeTokens(
  load: Omit<Load, 'operation' | 'seconds' | 'connections'>,
  count: number,
): Promise<string[]> {
  const tokens: string[] = []
  const worker = async () => {
    const client = new Client(load.url, { pipelining: 1 })
    while (tokens.length < count) {
      const { checkout_session: session } = await postJson(client, load.createPath, SESSION, load.headers)
      if (!session) throw new Error('A session was refused')
      tokens.push(session.token)
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return tokens
}

if (import.meta.main) {
  const load = JSON.parse(process.argv[2] ?? '{}') as Load & { makeTokens?: number }
  const tokens = load.operation === 'pay' ? await makeTokens(load, load.makeTokens ?? 20_000) : []
  console.log(JSON.stringify(await runLoad({ ...load, tokens })))
}
