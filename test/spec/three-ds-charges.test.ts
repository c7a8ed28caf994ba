import { deepEqual, equal } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withCheckDigit } from '../../server/lib/luhn.ts'
import { requireThreeDs } from '../support/authentication.ts'
import { signIn } from '../support/dashboard.ts'
import { merchantOf, payBody, payerOf } from '../support/merchant.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { resolveAll } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { threeDsOf } from '../support/three-ds.ts'

// TDS-18, TDS-28: from init to the charge with only the simulators. The gateway's simulator accepts the proof of the
// bank's simulator, for every brand, and the gateway's digits of a card decide the rest.

let service: TestService
before(async () => {
  service = await openService()
  callInProcess(service)
  await requireThreeDs(service)
})
after(async () => {
  try {
    await resolveAll(service)
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const newToken = () => merchantOf(service).sessionToken()

/** Authenticates the payer of a new session without a challenge, and pays. */
async function pay(number: string) {
  const token = await newToken()
  await threeDsOf(service).authenticated(token, { cardNumber: number })
  return payerOf(service).pay(token, payBody(number, { cvv: number.startsWith('34') ? '1234' : '123' }))
}

const lastRow = async () => (await service.simulator.rows()).at(-1)

describe('A card of the simulators', () => {
  for (const [brand, prefix, digits, eci] of [
    ['Visa', '400000202100', '000', '05'],
    ['Visa, attempted', '400000202120', '000', '06'],
    ['Mastercard', '520000202100', '000', '02'],
    ['Mastercard, attempted', '520000202120', '000', '01'],
    ['American Express', '340000202100', '00', '05'],
    ['American Express, attempted', '340000202120', '00', '06'],
    ['Visa, 2.1.0', '400000201100', '000', '05'],
    ['Visa, 2.3.1', '400000203100', '000', '05'],
  ] as const)
    test(`of ${brand} is paid with ECI ${eci}`, async () => {
      const { status, body } = await pay(withCheckDigit(prefix + digits))
      deepEqual([status, body.ok], [200, true], JSON.stringify(body))
      const row = await lastRow()
      deepEqual([row?.threeDs?.eci, row?.threeDs?.cavv, row?.warnings], [eci, 'present', undefined])
    })

  for (const [digits, code] of [
    ['001', 'ND'],
    ['002', 'NC'],
    ['003', 'N7'],
    ['004', 'NR'],
    ['005', 'NF'],
    ['006', 'AP'],
    ['007', 'AC'],
  ] as const)
    test(`that is authenticated has the gateway's result ${code} by its digits ${digits}`, async () => {
      const { status, body } = await pay(withCheckDigit(`400000202100${digits}`))
      deepEqual([status, body.ok, body.charged, body.attempt_count], [200, false, false, 1], JSON.stringify(body))
      const sale = (await service.simulator.rows()).findLast(({ op }) => op === 'sale')
      deepEqual([sale?.code, sale?.threeDs?.transStatus], [code, 'Y'])
    })

  for (const [what, digits] of [
    ['is silent', '008'],
    ['fails with HTTP 500', '009'],
  ] as const)
    test(`whose gateway ${what} has no known outcome yet, and in the end is not charged`, async () => {
      const number = withCheckDigit(`400000202100${digits}`)
      const { status, body } = await pay(number)
      deepEqual([status, body.code, body.charged], [400, 'gateway_timeout', null], JSON.stringify(body))
    })
})

describe('3-D Secure in the settings of staging', () => {
  test('is switched on and off, and the page of the next payment says so', async () => {
    const owner = await signIn(service)
    const set = async (on: boolean) => {
      const { version, view } = (await owner.call('GET /settings')).body
      equal(view.has_three_ds_server, true)
      const { status, body } = await owner.call('PATCH /settings', { body: { version, three_ds_enabled: on } })
      deepEqual([status, body.three_ds_enabled], [200, on], JSON.stringify(body))
      service.app.services.merchants.forget()
    }
    const token = await newToken()
    for (const on of [false, true]) {
      await set(on)
      const { body } = await payerOf(service).data(token)
      equal(body.three_ds.enabled, on)
    }
  })
})
