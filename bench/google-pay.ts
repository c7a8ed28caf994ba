// How many Google Pay tokens (ECv2) one core verifies and decrypts, compared with only the elliptic-curve operations of
// a token: two signatures are verified, one by Google for the key and one by that key, and one secret is agreed on.
import { createHash, diffieHellman, generateKeyPairSync, sign, verify } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { openToken } from '../server/google-pay/open-token.ts'
import { payloadOf, rules, signed } from '../test/support/google-pay-tokens.ts'
import { median, table } from './report.ts'

/** Number of different tokens, so that none is verified twice in a row. */
const TOKENS = 64
const PER_ROUND = 500

export function measureGooglePay(rounds: number): void {
  const tokens = Array.from({ length: TOKENS }, (_, index) => signed(payloadOf({}, { messageId: String(index) })))
  const foreign = { ...rules, recipientId: 'merchant:another' }
  const ways: Record<string, (text: string) => unknown> = {
    'the curves alone': curves(),
    'a token': (text) => openToken(text, rules),
    'a token for another merchant, refused': (text) => refuse(() => openToken(text, foreign)),
  }
  const rates = new Map<string, number[]>()
  for (let round = -1; round < rounds; round++)
    for (const [name, once] of Object.entries(ways)) {
      const began = performance.now()
      for (let n = 0; n < PER_ROUND; n++) once(tokens[n % TOKENS] ?? '')
      const perSecond = (PER_ROUND * 1_000) / (performance.now() - began)
      // The first round is for warming up.
      if (round >= 0) rates.set(name, [...(rates.get(name) ?? []), perSecond])
    }
  const rows = [...rates].map(([name, all]) => {
    const range = `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`
    return [name, `${Math.round(median(all))} (${range})`, ((1_000 * 1_000) / median(all)).toFixed(0)]
  })
  console.log(`\nGoogle Pay: tokens a second on one core, medians of ${rounds}`)
  console.log(table(['what', 'per second (low to high)', 'microseconds'], rows))
}

function curves(): () => void {
  const [ours, theirs] = [0, 1].map(() => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }))
  if (!ours || !theirs) throw new Error('no keys')
  const bytes = createHash('sha256').update('bytes').digest()
  const signature = sign('sha256', bytes, theirs.privateKey)
  return () => {
    for (let times = 0; times < 2; times++)
      if (!verify('sha256', bytes, theirs.publicKey, signature)) throw new Error('The signature is refused')
    diffieHellman({ privateKey: ours.privateKey, publicKey: theirs.publicKey })
  }
}

function refuse(open: () => unknown): void {
  try {
    open()
  } catch {
    return
  }
  throw new Error('The token is accepted')
}
