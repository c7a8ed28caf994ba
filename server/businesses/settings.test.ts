import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { jpegHeaderOf, pngOf } from '../../test/support/images.ts'
import { connect, type Database } from '../db/connection.ts'
import { systemClock } from '../lib/clock.ts'
import { businessCommand } from './business-command.ts'
import { findBusiness } from './business-queries.ts'
import { findLetterSettings } from './letter-settings-queries.ts'
import { findLogo } from './logo-queries.ts'

// Tests `npm run business -- set`, for settings of the payment page and of the money rules.

const PNG = pngOf({ width: 40, height: 20 })
const JPEG = jpegHeaderOf({ width: 40, height: 20 })

let database: TestDatabase
let connected: Database
let folder: string
before(async () => {
  database = await createTestDatabase()
  connected = connect({ url: database.url, max: 2 })
  folder = mkdtempSync(join(tmpdir(), 'rialto-logo-'))
})
after(async () => {
  await connected.close()
  await database.drop()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => businessCommand({ db: connected.db, clock: systemClock }, args)

async function openBusiness(country: 'US' | 'CA' = 'CA'): Promise<string> {
  const line = await run(
    'create',
    '--name',
    'Shop',
    '--currency',
    'CAD',
    '--country',
    country,
    '--time-zone',
    'America/Toronto',
  )
  return line.split(' ')[0] ?? ''
}

const set = (id: string, ...args: string[]) => run('set', '--business', id, ...args)
const settingsOf = async (id: string) =>
  (await findBusiness(connected.db, id)) ??
  (() => {
    throw new Error('gone')
  })()

function file(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

describe('Settings of a business', () => {
  test('change when given, and stay otherwise', async () => {
    const id = await openBusiness()
    const printed = await set(
      id,
      ...['--name', 'Corner Shop', '--locale', 'fr-CA', '--time-zone', 'America/Vancouver', '--province', 'BC'],
      ...[
        '--surcharge-rate',
        '2.4',
        '--terms-url',
        'https://shop.example/terms',
        '--support-email',
        'help@shop.example',
      ],
      ...['--support-phone', '+1 514-555-0100', '--brand-color', '#1f4e8c', '--color-scheme', 'dark'],
    )
    match(printed, /Corner Shop/)
    match(printed, /surcharge-rate {2,}2\.4 %/)
    await set(id, '--privacy-url', 'https://shop.example/privacy')
    await set(id, '--after-last-retry', 'pause', '--batch-close-time', '23:30')
    await set(id, '--billing-run-time', '06:15', '--missed-dates', '0')
    await set(id, '--cvv-policy', 'require_match', '--avs-policy', 'decline_any_mismatch')
    match(await set(id, '--saved-card-cvv', 'on'), /saved-card-cvv {6}on/)
    const { cvvPolicy, avsPolicy, savedCardCvvRequired } = await settingsOf(id)
    deepEqual([cvvPolicy, avsPolicy, savedCardCvvRequired], ['require_match', 'decline_any_mismatch', true])
    match(await set(id, '--saved-card-cvv', 'off'), /saved-card-cvv {6}off/)
    equal((await settingsOf(id)).savedCardCvvRequired, false)
    await set(id, '--corner-radius', '0', '--font-stack', 'serif')
    const { afterLastRetry, firstCharge, surchargeRounding, batchCloseTime } = await settingsOf(id)
    deepEqual(
      [afterLastRetry, firstCharge, surchargeRounding, batchCloseTime],
      ['pause', 'on_start_date', 'half_up', '23:30'],
    )
    const { billingRunLocalTime, missedDatesMax, cornerRadius, fontStack } = await settingsOf(id)
    deepEqual([billingRunLocalTime, missedDatesMax, cornerRadius, fontStack], ['06:15', 0, 0, 'serif'])
    const { name, locale, timeZone, province, surchargeRateBp, termsUrl, privacyUrl, supportPhone, colorScheme } =
      await settingsOf(id)
    deepEqual(
      [name, locale, timeZone, province, surchargeRateBp, termsUrl, privacyUrl, supportPhone, colorScheme],
      [
        'Corner Shop',
        'fr-CA',
        'America/Vancouver',
        'BC',
        240,
        'https://shop.example/terms',
        'https://shop.example/privacy',
        '+1 514-555-0100',
        'dark',
      ],
    )
  })

  test('an empty value, and a rate of 0, remove a setting', async () => {
    const id = await openBusiness()
    const printed = await set(id, '--surcharge-rate', '1.5', '--default-tax-rate', '14.975', '--province', 'ON')
    match(printed, /default-tax-rate {4}14\.975 %/)
    equal((await settingsOf(id)).defaultTaxRatePpm, 149_750)
    await set(id, '--surcharge-rate', '0', '--default-tax-rate', '0', '--province', '')
    const { surchargeRateBp, defaultTaxRatePpm, province } = await settingsOf(id)
    deepEqual([surchargeRateBp, defaultTaxRatePpm, province], [null, null, null])
  })

  for (const [option, value, fault] of [
    ['surcharge-rate', '2.41', /surcharge_rate must be a percentage from 0 to 2.4/],
    ['surcharge-rate', '2.399', /surcharge_rate/],
    ['surcharge-rate', '-1', /surcharge_rate/],
    ['surcharge-rate', 'much', /surcharge_rate/],
    ['default-tax-rate', '30.0001', /default_tax_rate must be a percentage from 0 to 30/],
    ['default-tax-rate', '1.23456', /default_tax_rate/],
    ['default-tax-rate', 'much', /default_tax_rate/],
    ['province', 'Quebec', /province must be one of AB/],
    ['cvv-policy', 'strict', /cvv_policy must be one of accept, decline_mismatch, require_match/],
    ['avs-policy', 'decline_mismatch', /avs_policy must be one of accept, decline_no_match/],
    ['saved-card-cvv', 'yes', /saved-card-cvv must be on or off/],
    ['saved-card-cvv', '', /saved-card-cvv must be on or off/],
    ['locale', 'de', /locale must be one of en, fr-CA, es/],
    ['time-zone', 'Toronto', /time_zone must be an IANA name/],
    ['terms-url', 'http://shop.example', /terms_url must be an https URL/],
    ['privacy-url', 'javascript:alert(1)', /privacy_url/],
    ['support-email', 'help', /support_email/],
    ['support-phone', '911', /support_phone must have 10 to 15 digits/],
    ['brand-color', 'blue', /brand_color must be a colour/],
    ['brand-color', '#ffee00', /brand_color is too pale .*; #[0-9a-f]{6} is the nearest/],
    ['color-scheme', 'night', /color_scheme must be one of light, dark, auto/],
    ['billing-run-time', '02:30', /billing_run_local_time must not be from 02:00 to 02:59/],
    ['billing-run-time', 'noon', /billing_run_local_time must be a time of day/],
    ['billing-run-time', '', /billing_run_local_time must be a time of day/],
    ['missed-dates', '13', /missed_dates_max must be a whole number from 0 to 12/],
    ['missed-dates', 'all', /missed_dates_max must be/],
    ['corner-radius', '17', /corner_radius must be a whole number from 0 to 16/],
    ['corner-radius', '', /corner_radius must be/],
    ['font-stack', 'Comic Sans', /font_stack must be one of system, humanist, geometric, rounded, serif/],
    ['name', '', /name must have/],
  ] as const)
    test(`--${option} ${value || '""'} is refused`, async () => {
      const id = await openBusiness()
      const before = await settingsOf(id)
      await rejects(set(id, `--${option}=${value}`), fault)
      deepEqual(await settingsOf(id), before)
    })

  test('the suggested colour is accepted', async () => {
    const id = await openBusiness()
    const refused = await set(id, '--brand-color', '#ffee00').catch((error: Error) => error.message)
    const better = /#[0-9a-f]{6}/.exec(refused)?.[0] ?? ''
    await set(id, '--brand-color', better)
    equal((await settingsOf(id)).brandColor, better)
  })

  test('an unknown business is not found', () =>
    rejects(set('0190a000-0000-7000-8000-000000000000', '--name', 'X'), /No such business/))
})

describe('Settings for letters and invoices', () => {
  const ADDRESS = String.raw`12 King Street\nMontréal QC  H2Y 1A1\nCanada`

  test('change when given, and stay otherwise', async () => {
    const id = await openBusiness()
    const printed = await set(
      id,
      ...['--sender-name', 'Corner Shop', '--reply-to', 'help@shop.example', '--renewal-notice-days', '7'],
      ...['--notified-emails', 'ana@shop.example, books@shop.example', '--postal-address', ADDRESS],
      ...['--letters-off', 'customer.payment_succeeded,merchant.payment_failed'],
      ...['--tax-registrations', 'GST 123456789 RT0001\nQST 1234567890 TQ0001', '--legal-name', 'Corner Shop Inc.'],
    )
    match(printed, /notified-emails {5}ana@shop\.example, books@shop\.example/)
    const expected = {
      senderName: 'Corner Shop',
      replyTo: 'help@shop.example',
      notifiedEmails: ['ana@shop.example', 'books@shop.example'],
      lettersOff: ['customer.payment_succeeded', 'merchant.payment_failed'],
      renewalNoticeDays: 7,
      legalName: 'Corner Shop Inc.',
      postalAddress: '12 King Street\nMontréal QC  H2Y 1A1\nCanada',
      taxRegistrations: 'GST 123456789 RT0001\nQST 1234567890 TQ0001',
    }
    deepEqual(await findLetterSettings(connected.db, id), expected)
    await set(id, '--name', 'Another Name')
    deepEqual(await findLetterSettings(connected.db, id), expected)
    await set(id, '--letters-off', 'customer.refund')
    deepEqual(await findLetterSettings(connected.db, id), { ...expected, lettersOff: ['customer.refund'] })
  })

  test('are the name and the support e-mail of the business where they are not set', async () => {
    const id = await openBusiness()
    const { senderName, replyTo, notifiedEmails } = await findLetterSettings(connected.db, id)
    deepEqual([senderName, replyTo, notifiedEmails], ['Shop', null, []])
    await set(id, '--support-email', 'help@shop.example', '--sender-name', 'X', '--reply-to', 'y@shop.example')
    await set(id, '--sender-name', '', '--reply-to', '')
    const later = await findLetterSettings(connected.db, id)
    deepEqual(
      [later.senderName, later.replyTo, later.notifiedEmails],
      ['Shop', 'help@shop.example', ['help@shop.example']],
    )
  })

  test('an empty value, and 0 days, remove a setting', async () => {
    const id = await openBusiness()
    const before = await findLetterSettings(connected.db, id)
    await set(id, '--renewal-notice-days', '7', '--postal-address', ADDRESS, '--letters-off', 'customer.refund')
    await set(id, '--renewal-notice-days', '0', '--postal-address', '', '--letters-off', '')
    deepEqual(await findLetterSettings(connected.db, id), before)
  })

  for (const [option, value, fault] of [
    ['sender-name', 'Shop\r\nBcc: a@evil.example', /sender_name must be one line/],
    ['sender-name', 'Shop\u202e', /sender_name/],
    ['sender-name', 'x'.repeat(101), /sender_name/],
    ['reply-to', 'a@x.example,b@x.example', /reply_to must be one e-mail address/],
    ['reply-to', 'Ana <a@x.example>', /reply_to/],
    ['reply-to', 'a@x.example\nb@x.example', /reply_to/],
    ['notified-emails', 'a@x.example,b', /notified_emails must be at most 10 different/],
    ['notified-emails', 'a@x.example,A@x.example', /notified_emails/],
    ['notified-emails', Array.from({ length: 11 }, (_, n) => `a${n}@x.example`).join(), /notified_emails/],
    ['letters-off', 'customer.payment', /letters_off has an unknown letter, customer.payment; there are customer\./],
    ['letters-off', 'customer.refund,customer.refund', /letters_off must name each letter once/],
    ['renewal-notice-days', '61', /renewal_notice_days must be a number of days from 1 to 60, or 0/],
    ['renewal-notice-days', '-1', /renewal_notice_days/],
    ['renewal-notice-days', '1.5', /renewal_notice_days/],
    ['renewal-notice-days', 'week', /renewal_notice_days/],
    ['postal-address', 'a\n\nb', /postal_address must have 1 to 8 lines/],
    ['postal-address', 'x'.repeat(101), /postal_address/],
    ['tax-registrations', Array(9).fill('x').join('\n'), /tax_registrations/],
    ['tax-registrations', 'GST\u0007', /tax_registrations/],
  ] as const)
    test(`--${option} ${JSON.stringify(value.slice(0, 40))} is refused, and nothing changes`, async () => {
      const id = await openBusiness()
      const before = await findLetterSettings(connected.db, id)
      await rejects(set(id, '--name', 'Changed', `--${option}=${value}`), fault)
      deepEqual(await findLetterSettings(connected.db, id), before)
    })
})

describe('A logo', () => {
  for (const [name, bytes, mediaType] of [
    ['a.png', PNG, 'image/png'],
    ['b.gif', JPEG, 'image/jpeg'],
  ] as const)
    test(`${mediaType} is recognized by its bytes, not by its name`, async () => {
      const id = await openBusiness()
      await set(id, '--logo', file(name, bytes))
      const logo = await findLogo(connected.db, id)
      deepEqual([logo?.mediaType, logo?.bytes.equals(bytes)], [mediaType, true])
      equal(logo?.hash, (await settingsOf(id)).logoHash)
      await set(id, '--logo', '')
      deepEqual([await findLogo(connected.db, id), (await settingsOf(id)).logoHash], [null, null])
    })

  for (const [why, bytes] of [
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['more than 64 KiB', Buffer.concat([PNG, Buffer.alloc(65_536)])],
    ['an empty file', Buffer.alloc(0)],
  ] as const)
    test(`${why}, is refused`, async () => {
      const id = await openBusiness()
      await rejects(set(id, '--logo', file('bad.png', bytes)), /logo must/)
      equal(await findLogo(connected.db, id), null)
    })

  test('a missing file is refused', async () => {
    await rejects(set(await openBusiness(), '--logo', join(folder, 'none.png')), /logo must be an existing file/)
  })
})
