import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { withCheckDigit } from '../../server/lib/luhn.ts'
import { authenticated, dropThreeDs, requireThreeDs } from '../support/authentication.ts'
import { type Canaries, findCanaries } from '../support/canary-scan.ts'
import { signIn } from '../support/dashboard.ts'
import { dashboardResponses } from '../support/dashboard-responses.ts'
import { acceptGooglePay, DEVICE, walletBody } from '../support/google-pay-shop.ts'
import { merchantOf, payBody, payerOf, SESSION, send } from '../support/merchant.ts'
import { customerOf, setBusiness, storedCards } from '../support/recorded.ts'
import { openService, type TestService } from '../support/service.ts'
import { savedCardBody } from '../support/stored-card.ts'
import { threeDsOf } from '../support/three-ds.ts'
import { dumpRows } from '../support/whole-database.ts'

// VLT-9, ATT-108: card numbers are used in every way in which a payment can end; then everything that is stored
// anywhere is searched for them.

const BINS = ['453957', '448562', '471604', '402400', '491637', '512345', '533619', '542418', '556677', '222345']
const CANARIES: Canaries = {
  numbers: BINS.map((bin, index) => withCheckDigit(`${bin}${String(876_543_210 - index * 98_765_43).slice(0, 9)}`)),
  cvvs: ['739', '846', '957', '628', '583'],
  proofs: Array.from({ length: 5 }, (_, index) => randomBytes(20).fill(index, 0, 2).toString('base64')),
}
const [
  APPROVED = '',
  DECLINED = '',
  PARTIAL = '',
  SILENT = '',
  REFUSED = '',
  SAVED = '',
  TWICE = '',
  BY_FORM = '',
  ELSEWHERE = '',
  BROKEN = '',
] = CANARIES.numbers
const [CVV = '', , , , SAVED_CVV = ''] = CANARIES.cvvs
const [USED_CAVV = '', DECLINED_CAVV = '', WAITING_CAVV = '', CRYPTOGRAM = '', WRONG_CRYPTOGRAM = ''] =
  CANARIES.proofs ?? []
/** Tokens of wallets, which are also searched for, as proofs. */
const walletTokens: string[] = []
const canaries = (): Canaries => ({ ...CANARIES, proofs: [...(CANARIES.proofs ?? []), ...walletTokens] })

const folder = mkdtempSync(join(tmpdir(), 'rialto-canary-'))
const ledger = join(folder, 'ledger.jsonl')

let service: TestService

before(async () => {
  service = await openService({ timeScale: 0.05, simulatorLedger: ledger })
  await service.app.startWorker()
})
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

const token = (input?: Record<string, unknown>) => merchantOf(service).sessionToken(input)
const pay = async (number: string, card: Record<string, unknown> = {}, to?: string) =>
  payerOf(service).pay(to ?? (await token()), payBody(number, { cvv: CVV, ...card }))
async function payByForm(to: string, fields: Record<string, string>): Promise<void> {
  const response = await send(`${service.formUrl}/customer/checkout/${to}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
  equal(response.status, 200)
  deepEqual(findCanaries(response.body, CANARIES), [], 'the page does not show it again')
}

describe('Ten card numbers are sent in every way', () => {
  test('approved', async () => equal((await pay(APPROVED)).body.ok, true))

  test('declined, three times', async () => {
    const to = await token()
    for (const cvv of CANARIES.cvvs.slice(0, 3)) {
      await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
      equal((await pay(DECLINED, { cvv }, to)).body.code, 'ND')
    }
  })

  test('approved in part, and voided', async () => {
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'partial_ap' }] })
    equal((await pay(PARTIAL)).body.ok, false)
  })

  test('without a response', async () => {
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'silent_recorded' }] })
    equal((await pay(SILENT)).body.code, 'gateway_timeout')
  })

  test('with a garbled response', async () => {
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'garbled_recorded' }] })
    equal((await pay(SILENT)).body.code, 'gateway_timeout')
  })

  test('refused for another field', async () => {
    for (const card of [
      { month: '13' },
      { cvv: '73' },
      { nameOnCard: REFUSED },
      { year: 2001 },
      { cardNumber: `${REFUSED}0` },
      { saveCard: 'yes' },
    ]) {
      equal((await pay(REFUSED, card)).status, 422)
    }
  })

  test('saved, and saved again', async () => {
    equal((await pay(SAVED, { saveCard: true })).body.ok, true)
    equal((await pay(SAVED, { saveCard: true })).body.code, 'duplicate_card')
  })

  test('saved, and its code typed again, in every way', async () => {
    const customer = await customerOf(service, SESSION.customer_email)
    const card = (await storedCards(service)).find(({ last4 }) => last4 === SAVED.slice(-4))
    const bound = () => token({ customer_id: customer?.id, customer_email: undefined })
    const payAgain = async (cvv: unknown, to?: string) =>
      payerOf(service).pay(to ?? (await bound()), savedCardBody(card?.id ?? '', { cvv }))
    for (const isAsked of [false, true]) {
      await setBusiness(service, { saved_card_cvv_required: isAsked })
      for (const outcome of ['declined', 'silent_recorded', 'garbled_recorded'] as const) {
        await service.simulator.script({ outcomes: [{ op: 'sale', outcome }] })
        equal((await payAgain(SAVED_CVV)).body.ok, false)
      }
      equal((await payAgain(SAVED_CVV)).body.ok, true)
      equal((await payAgain(`${SAVED_CVV}9`)).status, isAsked ? 422 : 200)
      equal((await payAgain(Number(SAVED_CVV))).status, isAsked ? 422 : 200)
      await payByForm(await bound(), { payment_method: `saved:${card?.id}`, saved_cvc: SAVED_CVV })
    }
    await setBusiness(service, { saved_card_cvv_required: false })
  })

  test('sent twice at once', async () => {
    const to = await token()
    const responses = await Promise.all([pay(TWICE, {}, to), pay(TWICE, {}, to)])
    equal(responses.filter(({ body }) => body.ok).length, 1)
  })

  test('typed into the form without JavaScript', async () => {
    const fields = {
      cardnumber: BY_FORM,
      exp: '12/31',
      cvc: CVV,
      ccname: 'Ana Roy',
      postal: '10001',
      line1: '1 Main Street',
      country: 'US',
    }
    for (const wrong of [{ exp: '13/31' }, {}]) await payByForm(await token(), { ...fields, ...wrong })
  })

  test('sent where no card is allowed', async () => {
    const card = { cardNumber: ELSEWHERE, cvv: CVV }
    for (const input of [
      { cardData: card },
      { metadata: { note: ELSEWHERE } },
      { metadata: { [ELSEWHERE]: 'x' } },
      { line_items: [card] },
    ]) {
      const { status, body } = await merchantOf(service).createSession(input)
      deepEqual([status, body.code], [422, 'raw_card_data_not_supported'])
      deepEqual(findCanaries(JSON.stringify(body), CANARIES), [])
    }
  })

  test('sent in a broken body, to a wrong path, in a URL', async () => {
    const to = await token()
    equal((await payerOf(service).pay(to, JSON.stringify(payBody(BROKEN, { cvv: CVV })).slice(0, -3))).status, 422)
    for (const path of [
      `/api/checkout/${to}/pays`,
      `/api/checkout/${BROKEN}`,
      `/${BROKEN}?cvv=${CVV}`,
      `/%zz${BROKEN}`,
    ]) {
      equal((await send(service.url + path)).status, 404)
    }
  })
})

describe('Proofs of payers are sent', () => {
  before(() => requireThreeDs(service))
  after(() => dropThreeDs(service))

  test('with an approved and a declined charge, and one waits', async () => {
    const [paid, declined, waiting] = [await token(), await token(), await token()]
    await authenticated(service, { token: paid, number: APPROVED, cavv: USED_CAVV })
    equal((await pay(APPROVED, {}, paid)).body.ok, true)
    await authenticated(service, { token: declined, number: DECLINED, cavv: DECLINED_CAVV })
    await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
    equal((await pay(DECLINED, {}, declined)).body.ok, false)
    await authenticated(service, { token: waiting, number: APPROVED, cavv: WAITING_CAVV })
  })

  test('by the simulated 3-D Secure server, from init to the charge; one card waits for its request', async () => {
    const payer = threeDsOf(service)
    await payer.begin(await token(), { cardNumber: BROKEN })
    const to = await token()
    await payer.authenticated(to, { cardNumber: BROKEN })
    equal((await pay(BROKEN, {}, to)).body.ok, true)
  })

  test('of a wallet: a device, a wrong cryptogram, the same token twice, and a broken one', async () => {
    const wallet = await acceptGooglePay(service)
    const tokens = [CRYPTOGRAM, WRONG_CRYPTOGRAM.slice(0, 20)].map((cryptogram) =>
      wallet.token({ ...DEVICE, cryptogram }),
    )
    walletTokens.push(...tokens.map((made) => JSON.parse(made).signature as string))
    const [good = '', wrong = ''] = tokens
    equal((await payerOf(service).pay(await token(), walletBody(good))).body.ok, true)
    equal((await payerOf(service).pay(await token(), walletBody(wrong))).body.ok, false)
    for (const refused of [good, good.slice(0, -2), JSON.stringify({ signedMessage: good })])
      equal((await payerOf(service).pay(await token(), walletBody(refused))).status, 422)
  })
})

describe('Afterwards none of them is', () => {
  test('in what any path of the dashboard responds, nor in its receipts (DEF-20)', async () => {
    const owner = await signIn(service, { isSteppedUp: true })
    const { data: payments } = (await owner.call('GET /payments', { query: { limit: 100 } })).body
    ok(payments.length >= 8)
    let count = 0
    for await (const { name, text } of dashboardResponses(service, owner, payments)) {
      deepEqual(findCanaries(text, canaries()), [], name)
      count++
    }
    ok(count > 100)
  })

  test('in the database, in any table, in any encoding', async () => {
    const rows = await dumpRows(service.databaseUrl)
    for (const table of ['payment', 'vault_card', 'operation', 'event', 'authentication', 'google_pay_message'])
      ok(rows.includes(`public.${table} `), table)
    ok(rows.includes('pgboss.'))
    deepEqual(findCanaries(rows, canaries()), [])
  })

  test('in the log', () => {
    ok(service.logged().includes('"path":"/api/checkout/{token}/pay"'))
    deepEqual(findCanaries(service.logged(), canaries()), [])
  })

  test('in the books of the simulator, nor in their file', async () => {
    const rows = await service.simulator.rows()
    ok(rows.length >= 8)
    deepEqual(findCanaries(rows.map((row) => JSON.stringify(row)).join('\n'), canaries()), [])
    const file = readFileSync(ledger, 'utf8')
    ok(file.includes(APPROVED.slice(0, 6)))
    deepEqual(findCanaries(file, canaries()), [])
  })

  test('in the metrics', async () => {
    const { body } = await send(`${service.operationsUrl}/metrics`)
    deepEqual(findCanaries(body, canaries()), [])
  })
})

test('a line of a leaky log of this very service is caught', () => {
  service.app.api.log.info({ body: payBody(APPROVED, { cvv: CVV }) }, 'a leak')
  ok(findCanaries(service.logged(), CANARIES).length > 0)
})
