import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { decoded, formOf, requestorOf } from '../../../test/support/three-ds-requestor.ts'
import type { RunningSimulator } from '../../gateway/simulator/start-simulator.ts'
import { threeDsTestCards } from '../../gateway/simulator/three-ds-test-cards.ts'
import { startSimulators } from '../../serve/start-simulators.ts'
import { type SimulatedNetwork, threeDsTestCard } from './test-cards.ts'

// Tests every row of the simulator's cards over HTTP, for each network (TDS-18).

interface Row {
  versions: [oldest: string, newest: string]
  hasMethod: boolean
  /** `transStatus`, or the error code. */
  auth: string
  /** Result of the challenge, at the browser and at the 3-D Secure server. */
  challenge?: { cres: string | null; rreq: string | null }
}

const V2: Row['versions'] = ['2.1.0', '2.2.0']
const after2 = (auth: string, challenge?: Row['challenge']): Row => ({
  versions: V2,
  hasMethod: true,
  auth,
  ...(challenge && { challenge }),
})

const ROWS: Record<string, Row | { preauth: string }> = {
  '2000': after2('Y'),
  '1100': { versions: ['2.1.0', '2.1.0'], hasMethod: false, auth: 'Y' },
  '3000': { versions: ['2.1.0', '2.3.1'], hasMethod: true, auth: 'Y' },
  '2200': after2('Y'),
  '2300': after2('Y'),
  '2120': { versions: V2, hasMethod: false, auth: 'A' },
  '2010': after2('N'),
  '2130': { versions: V2, hasMethod: false, auth: 'R' },
  '2150': { versions: V2, hasMethod: false, auth: 'U' },
  '2140': { versions: V2, hasMethod: false, auth: 'I' },
  '2160': { versions: V2, hasMethod: false, auth: '405' },
  '2180': { versions: V2, hasMethod: false, auth: 'D' },
  '2190': { versions: V2, hasMethod: false, auth: '203' },
  '2070': after2('C', { cres: 'Y', rreq: 'Y' }),
  '2071': after2('C', { cres: 'N', rreq: 'N' }),
  '2072': after2('C'),
  '2073': after2('C', { cres: 'N', rreq: 'N' }),
  '2074': after2('C', { cres: null, rreq: null }),
  '2075': after2('C', { cres: 'Y', rreq: 'N' }),
  '2076': after2('C', { cres: 'garbled', rreq: 'Y' }),
  '2077': after2('C', { cres: 'N', rreq: 'U' }),
  '2078': after2('C', { cres: 'Y', rreq: null }),
  '2079': after2('C', { cres: null, rreq: null }),
  '0000': { preauth: '305' },
  '0100': { versions: ['1.0.2', '1.0.2'], hasMethod: false, auth: '' },
  '0200': { preauth: '403' },
}

const ECI: Record<SimulatedNetwork, Record<string, string>> = {
  visa: { Y: '05', A: '06', N: '07', U: '07', I: '07' },
  mastercard: { Y: '02', A: '01', N: '00', U: '00', I: '00' },
  amex: { Y: '05', A: '06', N: '07', U: '07', I: '07' },
}
const NETWORKS = Object.keys(ECI) as SimulatedNetwork[]

describe('every test card over HTTP', () => {
  let simulator: RunningSimulator
  let requestor: ReturnType<typeof requestorOf>
  before(async () => {
    simulator = await startSimulators({ environment: 'staging', timeScale: 0.001 })
    requestor = requestorOf(simulator)
  })
  after(() => simulator.close())

  for (const { visa, does, result } of threeDsTestCards()) {
    const digits = visa.slice(8, 12)
    test(`${digits} is documented as ${result}`, () => equal(result.replace('Y or N', ''), documented(ROWS[digits])))

    for (const network of NETWORKS) {
      test(`${network} ${digits}: ${does}`, () => checkCard(network, digits))
    }
  }

  async function checkCard(network: SimulatedNetwork, digits: string): Promise<void> {
    const number = threeDsTestCard(network, digits)
    const row = ROWS[digits]
    const { body: card } = await requestor.preauth(number)
    if (!row || 'preauth' in row) return equal(card.errorCode, row?.preauth)
    deepEqual([card.acsStartProtocolVersion, card.acsEndProtocolVersion], row.versions)
    equal(card.threeDSMethodURL !== undefined, row.hasMethod)
    if (row.auth === '') return
    const { body: ares } = await requestor.authenticate(number)
    equal(ares.transStatus ?? ares.errorCode, row.auth)
    checkProof(network, ares)
    if (row.challenge) await checkChallenge(network, number, row.challenge)
  }

  async function checkChallenge(
    network: SimulatedNetwork,
    number: string,
    { cres, rreq }: NonNullable<Row['challenge']>,
  ) {
    const { first, threeDSServerTransID } = await requestor.challenge(number)
    const { fields } = formOf(first.html)
    if (cres === 'garbled') equal(isMessage(fields.cres), false)
    else equal(fields.cres === undefined ? null : decoded(fields.cres).transStatus, cres)
    const { status, body } = await requestor.postauth(threeDSServerTransID)
    deepEqual([status, body.transStatus ?? null], rreq === null ? [404, null] : [200, rreq])
    if (rreq !== null) checkProof(network, body)
  }
})

/** Returns the results as the page of test cards shows them. */
function documented(row: (typeof ROWS)[string] | undefined): string | undefined {
  if (!row) return undefined
  if ('preauth' in row || !/^[A-Z]$/.test(row.auth)) return '–'
  if (row.auth !== 'C') return row.auth
  const { rreq = '' } = row.challenge ?? {}
  return rreq === null ? 'C' : `C, ${rreq}`
}

function checkProof(network: SimulatedNetwork, message: Record<string, unknown>): void {
  const { transStatus, eci, authenticationValue } = message
  equal(eci, ECI[network][String(transStatus)])
  if (transStatus === 'Y' || transStatus === 'A') {
    match(String(authenticationValue), /^[A-Za-z0-9+/]{27}=$/)
    equal(Buffer.from(String(authenticationValue), 'base64').length, 20)
  } else equal(authenticationValue, undefined)
}

function isMessage(text: string | undefined): boolean {
  try {
    return decoded(text).messageType === 'CRes'
  } catch {
    return false
  }
}
