import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CARDS } from '../support/card-numbers.ts'
import { merchantOf, payBody, payerOf, type Response, send } from '../support/merchant.ts'
import { type MoneyRows, moneyRows } from '../support/money-rows.ts'
import { openService, type TestService } from '../support/service.ts'
import { openServiceWithClock, resolveAll, type ServiceWithClock } from '../support/silent-gateway.ts'
import { assertSoundBooks } from '../support/sound-books.ts'
import { type StoredCardIds, savedCardBody, sellTo, storeCard } from '../support/stored-card.ts'

// Whatever can fail is done before the intent is committed. What fails after the gateway has answered is an unknown
// outcome: the caller never gets "error", and an approved sale is reversed.

const EMAIL = 'ana@example.com'
const answered = ({ status, body }: Response) => [status, body.code, body.charged]

/** The ways to take a payment; each returns what the caller was told. */
const WAYS: Record<string, (service: TestService, card: StoredCardIds) => Promise<unknown>> = {
  'pay, typed': async (service) => answered(await payerOf(service).pay(await merchantOf(service).sessionToken())),
  'pay, typed and saved': async (service) => {
    const card = payBody(CARDS.mastercard, { saveCard: true })
    return answered(await payerOf(service).pay(await merchantOf(service).sessionToken(), card))
  },
  'pay, stored': async (service, { customerId, cardId }) => {
    const token = await merchantOf(service).sessionToken({ customer_id: customerId })
    return answered(await payerOf(service).pay(token, savedCardBody(cardId)))
  },
  'pay, in the modal': async (service) => {
    const input = { amount_total: 25.5, customer_email: EMAIL }
    const { body } = await merchantOf(service).post('/rapid-checkout/create', input)
    return answered(await payerOf(service).pay(body.checkout_session.token, payBody(CARDS.mastercard)))
  },
  'a saved-card sale': async (service, card) => answered(await sellTo(service, card)),
  'a saved-card sale with a key': async (service, card) => answered(await sellTo(service, card, {}, 'order-1')),
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

async function opened(): Promise<{ service: ServiceWithClock; rows: MoneyRows; card: StoredCardIds }> {
  const service = await openServiceWithClock()
  return { service, rows: moneyRows(service.databaseUrl), card: await storeCard(service, EMAIL) }
}

const newest = async (rows: MoneyRows) => (await rows.operations('sale')).at(-1)
const sales = async ({ simulator }: TestService) => (await simulator.rows()).filter(({ op }) => op === 'sale').length

describe('an approval that cannot be recorded', { concurrency: 4 }, () => {
  const REFUSED = 'alter table payment add constraint none check (false) not valid'

  for (const [way, take] of Object.entries(WAYS))
    test(`${way}: the outcome is unknown, the sale is reversed, and the session can be paid again`, async () => {
      const { service, rows, card } = await opened()
      await using _service = service
      await using _rows = rows
      await rows.query(REFUSED)
      deepEqual(await take(service, card), isForm(way) ? [200, 'checking', false] : UNKNOWN)
      equal((await newest(rows))?.state, 'IN_DOUBT')
      match(service.logged(), /outcome is unknown/)

      await rows.query('alter table payment drop constraint none')
      await resolveAll(service)
      equal((await newest(rows))?.state, 'REVERSED')
      const again = await take(service, card)
      if (!isForm(way))
        deepEqual(
          again,
          way.endsWith('key')
            ? [400, 'gateway_timeout', false]
            : [200, way.includes('sale') ? 'AA' : undefined, undefined],
        )
      await assertSoundBooks(service)
    })
})

describe('a decline that cannot be recorded', { concurrency: 4 }, () => {
  const REFUSED = "alter table operation add constraint none check (state <> 'DECLINED') not valid"

  for (const [way, take] of Object.entries(WAYS))
    test(`${way}: the outcome is unknown, and recovery finds a decline`, async () => {
      const { service, rows, card } = await opened()
      await using _service = service
      await using _rows = rows
      await rows.query(REFUSED)
      await service.simulator.script({ outcomes: [{ op: 'sale', outcome: 'declined' }] })
      deepEqual(await take(service, card), isForm(way) ? [200, 'checking', false] : UNKNOWN)
      await rows.query('alter table operation drop constraint none')
      await resolveAll(service)
      equal((await newest(rows))?.state, 'DECLINED')
      await assertSoundBooks(service)
    })
})

test('not even the unknown outcome can be recorded: the caller gets the same response, and recovery finds the sale', async () => {
  const { service, rows, card } = await opened()
  await using _service = service
  await using _rows = rows
  for (const [way, take] of Object.entries(WAYS)) {
    if (isForm(way)) continue
    await rows.query("alter table operation add constraint none check (state = 'SENT') not valid")
    deepEqual(await take(service, card), UNKNOWN, way)
    equal((await newest(rows))?.state, 'SENT')
    await rows.query('alter table operation drop constraint none')
    await resolveAll(service)
    equal((await newest(rows))?.state, 'REVERSED', way)
  }
  await assertSoundBooks(service)
})

describe('what fails before the intent: nothing is sent, and the response says so', () => {
  const BROKEN: Record<string, string> = {
    'the data key cannot be opened':
      'update vault_key set wrapped_key = set_byte(wrapped_key, 20, get_byte(wrapped_key, 20) # 1)',
    'the data key is gone from its table': 'alter table vault_key rename column wrapped_key to moved',
  }
  for (const [what, breakIt] of Object.entries(BROKEN))
    for (const way of ['pay, typed and saved', 'pay, stored', 'pay, in the modal', 'a saved-card sale'])
      test(`${what}: ${way}`, async () => {
        await using first = await openService()
        await using rows = moneyRows(first.databaseUrl)
        const card = await storeCard(first, EMAIL)
        await rows.query(breakIt)
        // The first service has the key in memory.
        await using service = await openService({ beside: first })
        const before = await rows.operations()
        deepEqual(await WAYS[way]?.(service, card), NOT_CHARGED)
        deepEqual(await rows.operations(), before)
        equal(await sales(service), 0)
        deepEqual(
          await WAYS['pay, typed']?.(service, card),
          [200, undefined, undefined],
          'a card that is not saved pays',
        )
      })

  test('without JavaScript the page says so too', async () => {
    await using first = await openService()
    await using rows = moneyRows(first.databaseUrl)
    await storeCard(first, EMAIL)
    await rows.query(BROKEN['the data key cannot be opened'] ?? '')
    await using service = await openService({ beside: first })
    const token = await merchantOf(service).sessionToken()
    const card = { cardnumber: CARDS.mastercard, save_card: 'on' }
    deepEqual(await postForm(service, token, card), [200, 'ready', true])
    equal(await sales(service), 0)
    match(service.logged(), /nothing was sent/)
  })

  test('a terminal of a gateway that is not configured', async () => {
    await using service = await openService()
    await using rows = moneyRows(service.databaseUrl)
    const card = await storeCard(service, EMAIL)
    const before = await rows.operations()
    await rows.query("update terminal set gateway = 'elsewhere'")
    service.app.services.merchants.forget()
    for (const way of ['pay, typed', 'pay, stored', 'a saved-card sale'])
      deepEqual(await WAYS[way]?.(service, card), NOT_CHARGED, way)
    deepEqual(await rows.operations(), before)
  })
})
