import { deepEqual, equal, match } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf, type Response, send } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { openService, type TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-services.ts'
import { resolveAll } from '../support/silent-gateway.ts'
import { type StoredCardIds, savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'

// Whatever can fail is done before the intent is committed. What fails after the gateway has answered is an unknown
// outcome: the caller never gets "error", and an approved sale is reversed.

const newEmail = () => `${newId()}@example.com`
const answered = ({ status, body }: Response) => [status, body.code, body.charged]

/** The ways to take a payment; each returns what the caller was told. A key is for the same request again. */
const WAYS: Record<string, (service: TestService, card: StoredCardIds, key?: string) => Promise<unknown>> = {
  'pay, typed': async (service) => answered(await payerOf(service).pay(await merchantOf(service).sessionToken())),
  'pay, typed and saved': async (service) => {
    const card = payBody(CARDS.mastercard, { saveCard: true })
    const token = await merchantOf(service).sessionToken({ customer_email: newEmail() })
    return answered(await payerOf(service).pay(token, card))
  },
  'pay, stored': async (service, { customerId, cardId }) => {
    const token = await merchantOf(service).sessionToken({ customer_id: customerId })
    return answered(await payerOf(service).pay(token, savedCardBody(cardId)))
  },
  'pay, in the modal': async (service) => {
    const input = { amount_total: 25.5, customer_email: newEmail() }
    const { body } = await merchantOf(service).post('/rapid-checkout/create', input)
    return answered(await payerOf(service).pay(body.checkout_session.token, payBody(CARDS.mastercard)))
  },
  'a saved-card sale': async (service, card) => answered(await sellTo(service, card)),
  'a saved-card sale with a key': async (service, card, key = newId()) =>
    answered(await sellTo(service, card, {}, key)),
  'pay, by form post': async (service) => postForm(service, await merchantOf(service).sessionToken()),
}

/** Posts the form. @returns the status and the subject of the page */
async function postForm({ formUrl }: TestService, token: string, more: object = {}): Promise<unknown> {
  const fields = { cardnumber: CARDS.visa, exp: '12/31', cvc: '123', ccname: 'Ana Roy', postal: '10001' }
  const response = await send(`${formUrl}/customer/checkout/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...fields, ...more }).toString(),
  })
  const phase = /"phase":"(\w+)"/.exec(String(response.body))?.[1]
  return [response.status, phase, /You have not been charged/.test(String(response.body).split('<template')[0] ?? '')]
}

const isForm = (way: string) => way.includes('form post')
const UNKNOWN = [400, 'gateway_timeout', null]
const NOT_CHARGED = [500, 'internal_error', false]

const sales = async ({ simulator }: TestService) => (await simulator.rows()).filter(({ op }) => op === 'sale').length

describe('a result that cannot be recorded', () => {
  const opened = sharedService()
  let rows: MoneyRows
  before(() => {
    rows = moneyRows(opened().databaseUrl)
  })
  after(() => rows[Symbol.asyncDispose]())

  const newest = async () => (await rows.operations('sale')).at(-1)

  /** Takes a payment while a table refuses its result, and then resolves it. */
  async function takeUnrecorded(take: () => Promise<unknown>, table: string, check: string) {
    await rows.query(`alter table ${table} add constraint none check (${check}) not valid`)
    const told = await take()
    const meanwhile = (await newest())?.state
    await rows.query(`alter table ${table} drop constraint none`)
    await resolveAll(opened())
    return { told, meanwhile, end: (await newest())?.state }
  }

  for (const [way, take] of Object.entries(WAYS)) {
    const expected = isForm(way) ? [200, 'checking', false] : UNKNOWN

    test(`an approval, ${way}: the outcome is unknown, the sale is reversed, and the session can be paid again`, async () => {
      const service = opened()
      const [card, key] = [await storeCard(service, newEmail()), newId()]
      const logged = service.logged().length
      const { told, meanwhile, end } = await takeUnrecorded(() => take(service, card, key), 'payment', 'false')
      deepEqual([told, meanwhile, end], [expected, 'IN_DOUBT', 'REVERSED'])
      match(service.logged().slice(logged), /outcome is unknown/)

      const again = await take(service, card, key)
      if (!isForm(way))
        deepEqual(
          again,
          way.endsWith('key')
            ? [400, 'gateway_timeout', false]
            : [200, way.includes('sale') ? 'AA' : undefined, undefined],
        )
    })

    test(`a decline, ${way}: the outcome is unknown, and recovery finds a decline`, async () => {
      const service = opened()
      const card = await storeCard(service, newEmail())
      await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
      const { told, end } = await takeUnrecorded(() => take(service, card), 'operation', "state <> 'DECLINED'")
      deepEqual([told, end], [expected, 'DECLINED'])
    })

    if (!isForm(way))
      test(`not even the unknown outcome, ${way}: the caller gets the same response, and recovery finds the sale`, async () => {
        const service = opened()
        const card = await storeCard(service, newEmail())
        const { told, meanwhile, end } = await takeUnrecorded(() => take(service, card), 'operation', "state = 'SENT'")
        deepEqual([told, meanwhile, end], [UNKNOWN, 'SENT', 'REVERSED'])
      })
  }
})

describe('what fails before the intent: nothing is sent, and the response says so', () => {
  const BROKEN: Record<string, string> = {
    'the data key cannot be opened':
      'update vault_key set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)',
    'the data key is gone from its table': 'alter table vault_key rename column wrapped_key to moved',
  }
  for (const [what, breakIt] of Object.entries(BROKEN))
    test(`${what}: with and without JavaScript, on a session and without one`, async () => {
      await using first = await openService()
      await using rows = moneyRows(first.databaseUrl)
      const card = await storeCard(first, newEmail())
      await rows.query(breakIt)
      // The first service has the key in memory.
      await using service = await openService({ beside: first })
      const before = await rows.operations()
      for (const way of ['pay, typed and saved', 'pay, stored', 'pay, in the modal', 'a saved-card sale']) {
        deepEqual(await WAYS[way]?.(service, card), NOT_CHARGED, way)
        deepEqual([await sales(service), await rows.operations()], [0, before], way)
      }
      match(service.logged(), /nothing was sent/)
      const token = await merchantOf(service).sessionToken()
      const typed = { cardnumber: CARDS.mastercard, save_card: 'on' }
      deepEqual(await postForm(service, token, typed), [200, 'ready', true])
      equal(await sales(service), 0)
      const unsaved = await WAYS['pay, typed']?.(service, card)
      deepEqual(unsaved, [200, undefined, undefined], 'a card that is not saved pays')
    })

  test('a terminal of a gateway that is not configured', async () => {
    await using service = await openService()
    await using rows = moneyRows(service.databaseUrl)
    const card = await storeCard(service, newEmail())
    const before = await rows.operations()
    await rows.query("update terminal set gateway = 'elsewhere'")
    service.app.services.merchants.forget()
    for (const way of ['pay, typed', 'pay, stored', 'a saved-card sale'])
      deepEqual(await WAYS[way]?.(service, card), NOT_CHARGED, way)
    deepEqual(await rows.operations(), before)
  })
})
