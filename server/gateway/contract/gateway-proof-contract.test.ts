import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { CardSource, SaleRequest, StoredCredential, ThreeDsProof } from '../gateway.ts'
import { ADAPTERS, type AdapterUnderTest } from './adapters.ts'
import { newRef, saleRequest, verifyRequest } from './requests.ts'

// The proof that a payer was authenticated reaches the gateway, which checks it. Every adapter passes the same tests.

const VISA = '4242424242424242'
const MASTERCARD = '5555555555554444'
const MASTERCARD_2 = '2223003122003222'
const AMEX = '378282246310005'
const DISCOVER = '6011111111111117'
const JCB = '3530111333300000'

const newValue = () => randomBytes(20).toString('base64')

const proof = (change: Partial<ThreeDsProof> = {}): ThreeDsProof => ({
  version: '2.2.0',
  transStatus: 'Y',
  eci: '05',
  cavv: newValue(),
  dsTransactionId: 'f879ea1c-aa2c-4441-806d-e30406466d79',
  serverTransactionId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  ...change,
})

type NetworkToken = Extract<CardSource, { kind: 'network_token' }>

const token = (change: Partial<NetworkToken> = {}): NetworkToken => ({
  kind: 'network_token',
  wallet: 'google_pay',
  number: '4895370012003478',
  expMonth: 12,
  expYear: 2090,
  cryptogram: newValue(),
  eci: '05',
  ...change,
})

const ACCEPTED: [number: string, transStatus: 'Y' | 'A', eci: string][] = [
  [VISA, 'Y', '05'],
  [VISA, 'A', '06'],
  [AMEX, 'Y', '05'],
  [AMEX, 'A', '06'],
  [DISCOVER, 'Y', '05'],
  [DISCOVER, 'A', '06'],
  [JCB, 'Y', '05'],
  [JCB, 'A', '06'],
  [MASTERCARD, 'Y', '02'],
  [MASTERCARD, 'A', '01'],
  [MASTERCARD_2, 'Y', '02'],
]

const WRONG_PROOFS: [what: string, message: string, change: Partial<SaleRequest> & { number?: string }][] = [
  ['a CAVV of 19 bytes', 'INVALID CAVV', { threeDs: proof({ cavv: randomBytes(19).toString('base64') }) }],
  ['a CAVV of 21 bytes', 'INVALID CAVV', { threeDs: proof({ cavv: randomBytes(21).toString('base64') }) }],
  ['a CAVV in hexadecimal', 'INVALID CAVV', { threeDs: proof({ cavv: randomBytes(20).toString('hex') }) }],
  ['a CAVV without padding', 'INVALID CAVV', { threeDs: proof({ cavv: newValue().slice(0, 27) }) }],
  ['no CAVV', 'NO CAVV', { threeDs: withoutCavv() }],
  ['the ECI of an attempt', 'ECI DOES NOT MATCH', { threeDs: proof({ eci: '06' }) }],
  ['the ECI of an authentication', 'ECI DOES NOT MATCH', { threeDs: proof({ transStatus: 'A' }) }],
  ["Mastercard's ECI", 'ECI DOES NOT MATCH', { threeDs: proof({ eci: '02' }) }],
  ["Visa's ECI on a Mastercard", 'ECI DOES NOT MATCH', { number: MASTERCARD, threeDs: proof() }],
  ['the result N', 'NOT AUTHENTICATED', { threeDs: proof({ transStatus: 'N' as 'Y' }) }],
  ['protocol version 1', 'INVALID 3-D SECURE DATA', { threeDs: proof({ version: '1.0.2' }) }],
  ['no cryptogram', 'NO CRYPTOGRAM', { source: token({ cryptogram: undefined as unknown as string }) }],
  ['a short cryptogram', 'INVALID CRYPTOGRAM', { source: token({ cryptogram: 'AgAAAAAABk4=' }) }],
  ['a network token and a CVV', 'CVV2 WITH A NETWORK TOKEN', { source: token(), cvv: '123' }],
  ['a network token and a CAVV', '3-D SECURE WITH A NETWORK TOKEN', { source: token(), threeDs: proof() }],
  ['a network token with the ECI 99', 'ECI DOES NOT MATCH', { source: token({ eci: '99' }) }],
]

function withoutCavv(): ThreeDsProof {
  const { cavv: _, ...rest } = proof()
  return rest
}

/** Returns a sale request without the CVV of a typed card, unless one is given. */
function requestOf({ ...change }: Partial<SaleRequest> & { number?: string }): SaleRequest {
  const { cvv: _, ...request } = saleRequest(change)
  return { ...request, ...(change.cvv !== undefined && { cvv: change.cvv }) }
}

for (const [name, start] of ADAPTERS) {
  describe(`Proof of the payer: ${name}`, () => {
    let harness: AdapterUnderTest
    before(async () => {
      harness = await start()
    })
    after(() => harness.close())

    const sell = (change: Parameters<typeof requestOf>[0]) => harness.gateway.sale(requestOf(change))
    const rowOf = async (merchantRef: string) => (await harness.control.rows({ merchantRef }))[0]

    for (const [number, transStatus, eci] of ACCEPTED) {
      test(`${number.slice(0, 6)} with ${transStatus} and ECI ${eci} is approved`, async () => {
        equal((await sell({ number, threeDs: proof({ transStatus, eci }) })).outcome, 'approved')
      })
    }

    for (const [what, message, change] of WRONG_PROOFS) {
      test(`${what} is declined with N7`, async () => {
        const result = await sell(change)
        ok(result.outcome === 'declined', result.outcome)
        deepEqual([result.code, result.message, result.advice], ['N7', message, 'none'])
      })
    }

    test('a verification takes and checks the same proof', async () => {
      const verify = (threeDs: ThreeDsProof) => harness.gateway.verify(verifyRequest({ threeDs }))
      equal((await verify(proof())).outcome, 'approved')
      const result = await verify(proof({ eci: '07' }))
      equal(result.outcome === 'declined' && result.code, 'N7')
    })

    test('a CAVV proves one transaction: the second is declined, whatever its card and terminal', async () => {
      const threeDs = proof()
      equal((await sell({ threeDs })).outcome, 'approved')
      const again = await sell({ threeDs, number: DISCOVER, terminal: { id: 'another', currency: 'USD' } })
      ok(again.outcome === 'declined')
      deepEqual([again.code, again.message], ['N7', 'CAVV ALREADY USED'])
    })

    test('a CAVV of a sale that the gateway did not record may be sent again', async () => {
      const threeDs = proof()
      const merchantRef = newRef()
      await harness.control.script({ outcomes: [{ op: 'sale', merchantRef, outcome: 'reset_not_recorded' }] })
      equal((await sell({ threeDs, merchantRef })).outcome, 'unknown')
      equal((await sell({ threeDs })).outcome, 'approved')
    })

    test('a network token is approved with its cryptogram; the same cryptogram again is a warning', async () => {
      const source = token()
      const refs = [newRef(), newRef()]
      for (const merchantRef of refs) equal((await sell({ source, merchantRef })).outcome, 'approved')
      const rows = await Promise.all(refs.map(rowOf))
      deepEqual(
        rows.map((row) => row?.warnings),
        [undefined, ['cryptogram used before']],
      )
    })

    test('a network token without an ECI, and with a cryptogram of 19 bytes, is approved', async () => {
      const { eci: _, ...source } = token({ number: '5204240250197840', cryptogram: 'ALnt+yWSJdXBACMLLWMNGgADFA==' })
      equal((await sell({ source })).outcome, 'approved')
    })

    test('the ledger has what came, and no value of it', async () => {
      const [proved, tokenized] = [newRef(), newRef()]
      const [threeDs, source] = [proof({ transStatus: 'A', eci: '06' }), token()]
      await sell({ threeDs, merchantRef: proved })
      await sell({ source, merchantRef: tokenized })
      const rows = [await rowOf(proved), await rowOf(tokenized)]
      deepEqual(rows[0]?.threeDs, { version: '2.2.0', transStatus: 'A', eci: '06', cavv: 'present' })
      deepEqual([rows[0]?.wallet, rows[1]?.wallet, rows[1]?.threeDs], [undefined, 'google_pay', undefined])
      const text = JSON.stringify(rows)
      for (const value of [threeDs.cavv ?? '', source.cryptogram, source.number]) equal(text.includes(value), false)
    })

    test('the ledger has the reference to the authentication that stored the card', async () => {
      const merchantRef = newRef()
      const storedCredential: StoredCredential = {
        initiator: 'merchant',
        reason: 'recurring',
        initial: false,
        networkTransactionId: 'NTI-1',
        dsTransactionId: 'f879ea1c-aa2c-4441-806d-e30406466d79',
      }
      await sell({ storedCredential, merchantRef })
      deepEqual((await rowOf(merchantRef))?.storedCredential, storedCredential)
    })

    test('a charge by the merchant with an authentication is a warning', async () => {
      const merchantRef = newRef()
      const storedCredential = { initiator: 'merchant', reason: 'recurring', initial: false } as const
      await sell({ storedCredential, merchantRef, threeDs: proof() })
      ok((await rowOf(merchantRef))?.warnings?.includes('authentication sent with a merchant-initiated charge'))
    })
  })
}
