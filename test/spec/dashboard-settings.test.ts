import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { en } from '../../dashboard/kit/letter-names/en.ts'
import { businessCommand } from '../../server/businesses/business-command.ts'
import { newId } from '../../server/lib/ids.ts'
import { type DashboardClient, signIn } from '../support/dashboard.ts'
import { movableClock } from '../support/movable-clock.ts'
import { callInProcess } from '../support/send.ts'
import { openService, type TestService } from '../support/service.ts'

const clock = movableClock()
let service: TestService
let owner: DashboardClient
before(async () => {
  service = await openService({ clock })
  callInProcess(service)
  owner = await signIn(service, { isSteppedUp: true })
})
after(() => service.close())

const settings = async () => (await owner.call('GET /settings')).body
const limits = async () => (await owner.call('GET /settings/limits')).body
const lastEntry = () =>
  service.app.services.db.selectFrom('audit_entry').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow()

describe('The settings of a business', () => {
  test('are read by every role, with the accounts at the gateway masked', async () => {
    for (const role of ['analyst', 'support', 'developer', 'admin'] as const) {
      const member = await signIn(service, { role })
      equal((await member.call('GET /settings')).status, 200)
    }
    const { object, currency, view } = await settings()
    deepEqual([object, currency, view.retry_days], ['settings', 'USD', [0, 3, 3, 3]])
    deepEqual(
      view.terminals.map((terminal: { gateway: string }) => terminal.gateway),
      ['simulator', 'simulator'],
    )
    for (const { account } of view.terminals) match(account, /^····[0-9a-f]{4}$/)
  })

  test('change as given, with what was before and after in the audit log', async () => {
    const { version, name } = await settings()
    const change = {
      name: 'Corner Shop',
      legal_name: 'Corner Shop Inc.',
      postal_address: ' 12 King Street \r\n Montréal ',
      surcharge_rate: 2.35,
      surcharge_rounding: 'down',
      default_tax_rate: 14.975,
      cvv_policy: 'require_match',
      avs_policy: 'decline_no_match',
      saved_card_cvv_required: true,
      after_last_retry: 'pause',
      billing_run_local_time: '03:00',
      missed_dates_max: 0,
      batch_close_time: '23:30',
      support_phone: '+1 514 555 0100',
      terms_url: 'https://shop.example/our-terms',
    }
    const changed = await owner.call('PATCH /settings', { body: { version, ...change } })
    equal(changed.status, 200, JSON.stringify(changed.body))
    for (const [member, value] of Object.entries({ ...change, postal_address: '12 King Street\nMontréal' }))
      deepEqual(changed.body[member], value, member)
    deepEqual(await settings(), changed.body)
    notEqual(changed.body.version, version)
    const { action, before: old, after: next } = await lastEntry()
    const names = Object.keys(change).sort()
    deepEqual(
      [action, Object.keys(old as object).sort(), Object.keys(next as object).sort()],
      ['settings.change', names, names],
    )
    deepEqual([(old as { name: string }).name, (next as { name: string }).name], [name, 'Corner Shop'])
  })

  test('that someone else changed meanwhile are a conflict with what they are now, and stay (DSH-4)', async () => {
    const { version } = await settings()
    const admin = await signIn(service, { role: 'admin' })
    const results = await Promise.all(
      [owner, admin, owner, admin, owner, admin].map((client, index) =>
        client.call('PATCH /settings', { body: { version, name: `Name ${index}` } }),
      ),
    )
    deepEqual(results.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409])
    const [won, lost] = [200, 409].map((status) => results.find((result) => result.status === status) ?? results[0])
    equal(lost?.body.error.code, 'conflict')
    equal(lost.body.error.current_version, won?.body.version)
    deepEqual(lost.body.error.current, won?.body)
    deepEqual(await settings(), won?.body)
  })

  test('refuse what breaks a rule, naming the field, and write nothing', async () => {
    const before = await settings()
    const { number } = await lastEntry()
    for (const [change, param] of [
      [{ name: '' }, 'name'],
      [{ name: '   ' }, 'name'],
      [{ surcharge_rate: 2.5 }, 'surcharge_rate'],
      [{ surcharge_rate: 1.234 }, 'surcharge_rate'],
      [{ default_tax_rate: 30.5 }, 'default_tax_rate'],
      [{ default_tax_rate: 1.00001 }, 'default_tax_rate'],
      [{ cvv_policy: 'decline_no_match' }, 'cvv_policy'],
      [{ avs_policy: null }, 'avs_policy'],
      [{ saved_card_cvv_required: null }, 'saved_card_cvv_required'],
      [{ saved_card_cvv_required: 'on' }, 'saved_card_cvv_required'],
      [{ time_zone: 'Mars/Olympus' }, 'time_zone'],
      [{ time_zone: null }, 'time_zone'],
      [{ batch_close_time: '24:00' }, 'batch_close_time'],
      [{ terms_url: 'javascript:alert(1)' }, 'terms_url'],
      [{ after_last_retry: 'nothing' }, 'after_last_retry'],
      [{ billing_run_local_time: '02:00' }, 'billing_run_local_time'],
      [{ billing_run_local_time: '02:59' }, 'billing_run_local_time'],
      [{ billing_run_local_time: '24:00' }, 'billing_run_local_time'],
      [{ billing_run_local_time: '6:00' }, 'billing_run_local_time'],
      [{ billing_run_local_time: '' }, 'billing_run_local_time'],
      [{ missed_dates_max: 13 }, 'missed_dates_max'],
      [{ missed_dates_max: -1 }, 'missed_dates_max'],
      [{ missed_dates_max: 1.5 }, 'missed_dates_max'],
      [{ missed_dates_max: null }, 'missed_dates_max'],
      [{ postal_address: 'one\n\ntwo' }, 'postal_address'],
      [{ name: 'Shop 4242424242424242' }, 'name'],
    ] as const) {
      const { status, body } = await owner.call('PATCH /settings', { body: { version: before.version, ...change } })
      deepEqual([status, body.error.param], [422, param], JSON.stringify(body))
    }
    equal((await owner.call('PATCH /settings', { body: { name: 'No version' } })).body.error.param, 'version')
    deepEqual(await settings(), before)
    equal((await lastEntry()).number, number)
  })

  test('of the country change with a province of it; the currency stays', async () => {
    const { version, currency } = await settings()
    const canada = await owner.call('PATCH /settings', { body: { version, country: 'CA', province: 'QC' } })
    deepEqual([canada.status, canada.body.country, canada.body.currency], [200, 'CA', currency])
    deepEqual((await lastEntry()).after, { country: 'CA', province: 'QC' })
    const body = { version: canada.body.version, country: 'US' }
    const refused = await owner.call('PATCH /settings', { body })
    deepEqual([refused.status, refused.body.error.param], [422, 'province'], 'Quebec is none of its states')
    const states = await owner.call('PATCH /settings', { body: { ...body, province: 'NY' } })
    deepEqual([states.status, states.body.country, states.body.province], [200, 'US', 'NY'])
    equal((await owner.call('PATCH /settings', { body: { version: states.body.version, country: 'MX' } })).status, 422)
  })

  test('of letters: who sends, who is notified, and which are off', async () => {
    const { version } = await settings()
    const change = {
      sender_name: 'The Shop',
      reply_to: 'reply@shop.example',
      notified_emails: ['one@shop.example', 'two@shop.example'],
      letters_off: ['merchant.payment_succeeded'],
      renewal_notice_days: 7,
    }
    const { status, body } = await owner.call('PATCH /settings/letters', { body: { version, ...change } })
    equal(status, 200, JSON.stringify(body))
    for (const [member, value] of Object.entries(change)) deepEqual(body[member], value)
    const next = body.version
    for (const [wrong, param] of [
      [{ letters_off: ['customer.greeting'] }, 'letters_off'],
      [{ notified_emails: ['one@shop.example', 'one@shop.example'] }, 'notified_emails'],
      [{ reply_to: 'a@b.example\r\nBcc: c@d.example' }, 'reply_to'],
    ] as const) {
      const refused = await owner.call('PATCH /settings/letters', { body: { version: next, ...wrong } })
      deepEqual([refused.status, refused.body.error.param?.split('.')[0]], [422, param])
    }
  })

  test('that the operator changes are in the audit log too (DSH-15)', async () => {
    const { db } = service.app.services
    await businessCommand({ db, clock }, ['set', '--business', service.demo.business_id, '--locale', 'fr-CA'])
    const { actor_kind, action, before: old, after: next } = await lastEntry()
    deepEqual([actor_kind, action, old, next], ['operator', 'settings.change', { locale: null }, { locale: 'fr-CA' }])
  })
})

describe('A letter', () => {
  test('of every kind is previewed in three languages, and sent to who asks for it', async () => {
    const { view, name } = await settings()
    for (const letter of view.letters) ok(Object.hasOwn(en, letter), letter)
    for (const letter of view.letters)
      for (const locale of ['en', 'fr-CA', 'es']) {
        const { status, body } = await owner.call('GET /settings/letters/preview', { query: { letter, locale } })
        const shown = await owner.call('GET /settings/letters/preview/html', { query: { letter, locale } })
        const policy = shown.headers.get('content-security-policy') ?? ''
        ok(String(shown.body).includes(`lang="${locale}"`) && /^sandbox/.test(policy) && !policy.includes('script-src'))
        equal(status, 200, letter)
        ok(body.subject && body.text.includes(name) && body.html.includes(`lang="${locale}"`), letter)
        // The amounts are in the currency of the business, which is USD.
        ok(!/CA\$|\$ ?CA/.test(body.subject + body.text), `${letter} ${locale}`)
      }
    const sample = { letter: 'customer.refund', locale: 'fr-CA' }
    const sent = await owner.call('POST /settings/letters/test', { body: sample })
    deepEqual([sent.status, sent.body.recipient], [200, owner.email])
    const kept = await service.app.services.db.selectFrom('letter').selectAll().executeTakeFirst()
    deepEqual([kept?.recipient, kept?.kind, kept?.locale], [owner.email, 'refund', 'fr-CA'])
    const unknown = await owner.call('POST /settings/letters/test', { body: { ...sample, letter: 'customer.x' } })
    deepEqual([unknown.status, unknown.body.error.param], [422, 'letter'])
  })
})

describe('A terminal', () => {
  test('is tested without moving money, and of this business only', async () => {
    const { view } = await settings()
    const [{ id }] = view.terminals
    const { status, body } = await owner.call(`POST /settings/terminals/${id}/test`)
    deepEqual([status, body.is_reached, body.message], [200, true, null])
    for (const foreign of [newId(), 'x']) {
      equal((await owner.call(`POST /settings/terminals/${foreign}/test`)).status, 404)
    }
  })
})

describe('Limits of people (DSH-34)', () => {
  test('are the defaults until an owner changes them, with step-up (DSH-12)', async () => {
    const before = await limits()
    deepEqual(
      [before.refund_step_up_amount, before.refund_daily_amount, before.customer_export_rows, before.session_minutes],
      [50_000, 200_000, 1_000, 720],
    )
    const body = { version: before.version, refund_step_up_amount: 10_000 }
    const plain = await signIn(service)
    const asked = await plain.call('PATCH /settings/limits', { body })
    deepEqual([asked.status, asked.body.error.code], [403, 'step_up_required'])
    const admin = await signIn(service, { role: 'admin', isSteppedUp: true })
    equal((await admin.call('PATCH /settings/limits', { body })).body.error.code, 'permission_denied')
    deepEqual(await limits(), before)
    const changed = await owner.call('PATCH /settings/limits', { body })
    deepEqual([changed.status, changed.body.refund_step_up_amount], [200, 10_000])
    deepEqual(await limits(), changed.body)
    equal((await owner.call('PATCH /settings/limits', { body })).status, 409)
  })

  test('let sessions be shorter, never longer; it holds at the next call', async () => {
    const { version } = await limits()
    for (const session_minutes of [14, 721]) {
      const { status, body } = await owner.call('PATCH /settings/limits', { body: { version, session_minutes } })
      deepEqual([status, body.error.param], [422, 'session_minutes'])
    }
    equal((await owner.call('PATCH /settings/limits', { body: { version, session_minutes: 30 } })).status, 200)
    const member = await signIn(service)
    for (const [minutes, status] of [
      [10, 200],
      [10, 200],
      [9, 200],
      [1, 401],
    ] as const) {
      clock.advance(minutes * 60)
      equal((await member.call('GET /settings')).status, status, `${minutes}`)
    }
    owner = await signIn(service, { isSteppedUp: true })
  })

  test('require a second factor of everyone only when the owner has one', async () => {
    const { version } = await limits()
    const body = { version, second_factor_required: true }
    const plain = await signIn(service, { proof: 'password', isSteppedUp: true })
    equal((await plain.call('PATCH /settings/limits', { body })).body.error.param, 'second_factor_required')
    equal((await owner.call('PATCH /settings/limits', { body })).status, 200)
    equal((await plain.call('GET /settings')).body.error.code, 'second_factor_required')
  })
})
