import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../server/lib/ids.ts'
import { runDue } from '../../server/subscriptions/bills/run-due-bills.ts'
import { contractsCommand } from '../../server/subscriptions/contracts/contracts-command.ts'
import { dayOf, instantOf } from '../../server/subscriptions/plan/calendar.ts'
import { CARDS } from '../support/card-numbers.ts'
import { payBody, payerOf, send } from '../support/merchant.ts'
import { type MerchantApiClient, merchantApiOf } from '../support/merchant-api.ts'
import { eventsOf } from '../support/recorded.ts'
import { assertRefused } from '../support/refusal.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'
import { openedLink, signedUp, waitingSubscription } from '../support/sign-up.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

// SUB-7, SUB-43 to SUB-45: contracts, as used by an operator and a customer.

let service: TestService
let api: MerchantApiClient
let payer: ReturnType<typeof payerOf>
let file: string
before(async () => {
  service = await openService()
  callInProcess(service)
  api = merchantApiOf(service)
  payer = payerOf(service)
  file = join(tmpdir(), `contract-${newId()}.txt`)
  await writeFile(file, 'First paragraph.\n\nSecond <b>paragraph</b>.')
})
after(async () => {
  try {
    await assertSoundBooks(service)
  } finally {
    await service.close()
  }
})

const contracts = (...args: string[]) =>
  contractsCommand(service.app.services, [...args, '--business', service.demo.business_id])

async function draft(customer: string): Promise<string> {
  const line = await contracts('create', '--customer', customer, '--title', 'Gold terms', '--file', file)
  return line.split(' ')[0] ?? ''
}

/** Creates a subscription that waits for its card, with a contract that waits for its signature. */
async function withContract(more: Record<string, unknown> = {}) {
  const made = await waitingSubscription(api, more)
  const contract = await draft(made.customer)
  await contracts('link', '--contract', contract, '--subscription', made.id)
  await contracts('send', '--contract', contract)
  return { made, contract, subscription: await retrieve(made.id) }
}

const retrieve = async (id: string) => (await api.get(`/subscriptions/${id}`)).body
const pay25 = () => payBody(CARDS.visa, {}, { amount: 25 })
const follow = (url: string) =>
  fetch(url).then(async (response) => ({ url: response.url, body: await response.text() }))

function post(url: string, fields: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: service.formUrl }
  return fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' })
}

async function sign(url: string): Promise<string> {
  const response = await post(url, { contract_name: 'Ana  Roy', contract_agreed: 'on' })
  equal(response.status, 303, await response.text())
  return response.headers.get('location') ?? ''
}

describe('a subscription with a contract', () => {
  test('SUB-43: the customer reads and signs it before the card; name, time and address are kept', async () => {
    const { made, contract, subscription } = await withContract()
    const { url } = subscription.contract
    deepEqual(subscription.contract, { id: contract, status: 'sent', signed_at: null, url })
    const opened = await follow(made.checkout_url)
    equal(opened.url, url)
    match(opened.body, /data-state="contract"[\s\S]*Gold terms[\s\S]*First paragraph/)
    equal(opened.body.includes('<b>paragraph'), false)
    const next = await sign(url)
    match((await send(next)).body, /data-state="open"/)
    const { contract: kept } = await signedUp(service, made.id)
    deepEqual([kept?.status, kept?.signature?.name, kept?.signature?.ip], ['signed', 'Ana Roy', '127.0.0.1'])
    const signed = (await retrieve(made.id)).contract
    deepEqual([signed.status, signed.url, signed.signed_at !== null], ['signed', null, true])
    equal((await payer.pay(new URL(next).pathname.split('/').at(-1) ?? '', pay25())).body.ok, true)
    equal((await retrieve(made.id)).status, 'active')
    deepEqual(
      (await eventsOf(service, made.id)).map(({ type, data }) => [type, (data as Shown).object.contract?.status]),
      [
        ['subscription.created', undefined],
        ['subscription.updated', 'draft'],
        ['subscription.updated', 'sent'],
        ['subscription.updated', 'signed'],
        ['subscription.activated', 'signed'],
      ],
    )
  })

  test('SUB-43: without the name or the tick nothing is signed, and the page says what is missing', async () => {
    const { made, subscription } = await withContract()
    const { url } = subscription.contract
    const wrong = [
      [{ contract_agreed: 'on' }, ['name']],
      [{ contract_name: 'A', contract_agreed: 'on' }, ['name']],
      [{ contract_name: CARDS.visa, contract_agreed: 'on' }, ['name']],
      [{ contract_name: 'Ana Roy' }, ['agreement']],
      [{ contract_name: 'Ana Roy', contract_agreed: 'yes' }, ['agreement']],
      [{}, ['name', 'agreement']],
    ] as const
    for (const [fields, missing] of wrong) {
      const response = await post(url, fields)
      const body = await response.text()
      equal(response.status, 200)
      equal((body.match(/<input[^>]*aria-invalid="true"/g) ?? []).length, missing.length, JSON.stringify(fields))
    }
    equal((await retrieve(made.id)).contract.status, 'sent')
  })

  test('SUB-7: unsigned, the card is refused with contract_unsigned, and nothing is sent', async () => {
    const sales = async () => (await service.simulator.rows()).filter(({ op }) => op === 'sale').length
    const before = await sales()
    const made = await waitingSubscription(api)
    const token = await openedLink(made.checkout_url)
    const contract = await draft(made.customer)
    await contracts('link', '--contract', contract, '--subscription', made.id)
    for (const status of ['draft', 'sent']) {
      if (status === 'sent') await contracts('send', '--contract', contract)
      const response = await payer.pay(token, pay25())
      assertRefused(response, 403, 'contract_unsigned')
      equal(response.body.charged, false)
    }
    match((await follow(`${service.formUrl}/customer/checkout/${token}`)).body, /data-state="contract"/)
    await contracts('void', '--contract', contract)
    assertRefused(await payer.pay(token, pay25()), 403, 'contract_unsigned')
    equal(await sales(), before)
    equal((await retrieve(made.id)).status, 'pending_payment_method')
  })

  test('SUB-7: unsigned, a subscription that begins later is not activated either', async () => {
    const start_date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    const made = await waitingSubscription(api, { start_date })
    const token = await openedLink(made.checkout_url)
    const contract = await draft(made.customer)
    await contracts('link', '--contract', contract, '--subscription', made.id)
    assertRefused(await payer.pay(token, pay25()), 403, 'contract_unsigned')
  })

  test('SUB-7: an active one with an unsigned contract is not charged; signed, it is due again', async () => {
    const made = await waitingSubscription(api)
    equal((await payer.pay(await openedLink(made.checkout_url), pay25())).body.ok, true)
    const contract = await draft(made.customer)
    await contracts('link', '--contract', contract, '--subscription', made.id)
    const now = new Date()
    const today = dayOf(now, 'America/New_York')
    await service.app.services.db
      .updateTable('subscription')
      .set({ due_at: now, next_billing_date: today })
      .where('id', '=', made.id)
      .execute()
    await runDue(service.app.services)
    equal((await retrieve(made.id)).installments_billed, 1)
    await contracts('send', '--contract', contract)
    const { url } = (await retrieve(made.id)).contract
    const response = await post(url, { contract_name: 'Ana Roy', contract_agreed: 'on' })
    match(await response.text(), /This contract is signed/)
    deepEqual((await signedUp(service, made.id)).subscription.dueAt, instantOf(today, 'America/New_York'))
  })

  test('two signatures at once: one counts, and the page of the other goes on', async () => {
    const { subscription } = await withContract()
    const fields = { contract_name: 'Ana Roy', contract_agreed: 'on' }
    const responses = await Promise.all([1, 2].map(() => post(subscription.contract.url, fields)))
    equal(responses.filter(({ status }) => status === 303).length >= 1, true)
    const updates = (await eventsOf(service, subscription.id)).filter(
      ({ data }) => (data as Shown).object.contract?.status === 'signed',
    )
    equal(updates.length, 1)
  })

  test('SUB-44: a page of another site cannot sign', async () => {
    const { made, subscription } = await withContract()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
    const body = new URLSearchParams({ contract_name: 'Ana Roy', contract_agreed: 'on' })
    const response = await fetch(subscription.contract.url, { method: 'POST', headers, body })
    equal(response.status, 403)
    equal((await retrieve(made.id)).contract.status, 'sent')
  })

  test('a draft shows nothing of its text or title, and a void contract has no page', async () => {
    const made = await waitingSubscription(api)
    const contract = await draft(made.customer)
    await contracts('link', '--contract', contract, '--subscription', made.id)
    const page = await follow(made.checkout_url)
    match(page.body, /still preparing/)
    deepEqual([page.body.includes('First paragraph'), page.body.includes('Gold terms')], [false, false])
    await contracts('void', '--contract', contract)
    equal((await fetch(page.url)).status, 404)
  })
})

describe('npm run contracts', () => {
  test('SUB-45: refuses what does not fit together', async () => {
    const [one, two] = [await waitingSubscription(api), await waitingSubscription(api)]
    const contract = await draft(one.customer)
    const link = (subscription: string) => contracts('link', '--contract', contract, '--subscription', subscription)
    await rejects(link(two.id), /another customer/)
    await rejects(link(newId()), /No such subscription/)
    await link(one.id)
    await rejects(
      contracts('link', '--contract', await draft(one.customer), '--subscription', one.id),
      /another contract/,
    )
    await contracts('send', '--contract', contract)
    await rejects(contracts('send', '--contract', contract), /Only a draft/)
    await contracts('void', '--contract', contract)
    await rejects(contracts('void', '--contract', contract), /void already/)
    await rejects(contracts('create', '--customer', newId(), '--title', 'T', '--file', file), /No such customer/)
    await rejects(contracts('send', '--contract', newId()), /No such contract/)
    await rejects(contracts('sign'), /Unknown command/)
    await rejects(contracts('create', '--customer', one.customer, '--title', CARDS.visa, '--file', file), /card number/)
  })

  test('DSH-15: what an operator did is in the audit log of the business; what was refused is not', async () => {
    const { contract } = await withContract()
    await contracts('void', '--contract', contract)
    await rejects(contracts('void', '--contract', contract), { code: 'conflict' })
    const entries = await service.app.services.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_kind', 'outcome'])
      .where('object_id', '=', contract)
      .orderBy('number')
      .execute()
    deepEqual(
      entries,
      ['create', 'link', 'send', 'void'].map((verb) => ({
        action: `contract.${verb}`,
        actor_kind: 'operator',
        outcome: 'done',
      })),
    )
  })

  test('lists contracts with their signatures', async () => {
    const { contract, subscription } = await withContract()
    await sign(subscription.contract.url)
    match(await contracts('list'), new RegExp(`${contract}  signed .*signed by Ana Roy on .* from 127\\.0\\.0\\.1`))
  })
})

interface Shown {
  object: { contract?: { status: string } | null }
}
