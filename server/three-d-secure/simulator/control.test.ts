import { deepEqual, equal } from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { requestorOf } from '../../../test/support/three-ds-requestor.ts'
import { until } from '../../../test/support/until.ts'
import type { RunningSimulator } from '../../gateway/simulator/start-simulator.ts'
import { startSimulators } from '../../serve/start-simulators.ts'
import { type ThreeDsSimulatorControl, threeDsSimulatorControl } from './control.ts'
import { threeDsTestCard } from './test-cards.ts'

const BY_HAND = threeDsTestCard('visa', '2072')

let simulator: RunningSimulator
let requestor: ReturnType<typeof requestorOf>
let control: ThreeDsSimulatorControl
before(async () => {
  simulator = await startSimulators({ environment: 'staging', timeScale: 0.001 })
  requestor = requestorOf(simulator)
  control = threeDsSimulatorControl(simulator)
})
beforeEach(() => control.reset())
after(() => simulator.close())

describe('The control path', () => {
  test('shows what was received, without the card number', async () => {
    const { acsTransID, creq } = await requestor.challenge(BY_HAND)
    await requestor.page('challenge/submit', { acsTransID, code: '123456', action: 'submit' })
    await requestor.postauth(creq.threeDSServerTransID)
    await requestor.page('method', { threeDSMethodData: 'x' })
    const received = await control.received()
    deepEqual(received.preauths, [{ acctNumber: '400000******0007' }])
    const [areq = {}] = received.areqs
    deepEqual(
      [areq.acctNumber, areq.browserUserAgent, areq.mobilePhone],
      ['400000******0007', 'Mozilla/5.0 (X11; Linux x86_64)', { cc: '1', subscriber: '5145550123' }],
    )
    deepEqual(received.challenges, [{ creq, sessionData: 'c2Vzc2lvbg', accepted: true }])
    deepEqual(received.submissions, [{ acsTransID, outcome: 'passed' }])
    deepEqual(received.methods, [null])
    deepEqual(received.postauths, [{ threeDSServerTransID: creq.threeDSServerTransID }])
    equal(JSON.stringify(received).includes(BY_HAND), false)
    await control.reset()
    deepEqual((await control.received()).areqs, [])
  })

  test('changes the next responses', async () => {
    await control.script({
      next: [
        { call: 'auth', merge: { cardholderInfo: 'Call us', eci: null } },
        { call: 'preauth', times: 2, status: 503, body: '{"messageType":"Erro","errorCode":"403"}' },
      ],
    })
    const codes = [await requestor.preauth(BY_HAND), await requestor.preauth(BY_HAND)].map(({ status }) => status)
    deepEqual(codes, [503, 503])
    const { body } = await requestor.authenticate('4242424242424242')
    deepEqual([body.cardholderInfo, 'eci' in body, body.transStatus], ['Call us', false, 'Y'])
    equal('cardholderInfo' in (await requestor.authenticate('4242424242424242')).body, false)
  })

  test('makes calls and pages silent, reset or slow', async () => {
    const fails = (call: Promise<unknown>) =>
      call.then(
        () => 'response',
        () => 'none',
      )
    await control.script({
      next: [
        { call: 'preauth', fault: 'reset' },
        { call: 'method', fault: 'reset' },
      ],
    })
    equal(await fails(requestor.preauth(BY_HAND)), 'none')
    equal(await fails(requestor.page('method', {})), 'none')
    await control.reset()
    await control.script({ next: [{ call: 'preauth', fault: 'silence' }] })
    const leaving = new AbortController()
    const body = JSON.stringify({ acctNumber: BY_HAND })
    const init = { method: 'POST', body, headers: { apikey: simulator.secret }, signal: leaving.signal }
    const silent = fails(fetch(`${simulator.url}/3ds/preauth`, init))
    await until('the call has arrived', async () => (await control.received()).preauths.length > 0)
    leaving.abort()
    equal(await silent, 'none')
    await control.script({ latencyMs: 60, next: [{ call: 'challenge', body: '<h1>Rubbish</h1>', status: 201 }] })
    const began = performance.now()
    await requestor.preauth(BY_HAND)
    equal(performance.now() - began > 55, true)
    const page = await requestor.page('challenge', {})
    deepEqual([page.status, page.html], [201, '<h1>Rubbish</h1>'])
  })

  test('refuses a script that it does not understand', async () => {
    for (const wrong of [{ next: [{ call: 'other' }] }, { latency: 5 }, { next: 'x' }, []]) {
      const response = await fetch(`${simulator.url}/_sim/3ds/script`, {
        method: 'POST',
        headers: { 'x-simulator-secret': simulator.secret },
        body: JSON.stringify(wrong),
      })
      equal(response.status, 400, JSON.stringify(wrong))
    }
  })
})
