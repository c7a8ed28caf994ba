import { OPERATOR } from '../audit/actor.ts'
import { audited } from '../audit/audited.ts'
import { changesBetween } from '../audit/changes.ts'
import type { Db } from '../db/connection.ts'
import { type Tx, transaction } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { type Command, readCommand, UsageError } from '../lib/command.ts'
import { invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { type Currency, centsFromDecimal } from '../lib/money.ts'
import { percentOf } from '../lib/rate.ts'
import type { Business, Country } from './business.ts'
import { findBusiness, listBusinesses } from './business-queries.ts'
import { changeSettings, type Settings } from './change-settings.ts'
import { createBusiness, type NewBusiness } from './create-business.ts'
import type { StoredLetterSettings } from './letter-settings.ts'
import { LETTER_OPTIONS, LETTER_USAGE, letterSettingsFrom, letterSettingsText } from './letter-settings-command.ts'
import { findStoredLetterSettings } from './letter-settings-queries.ts'
import { readLogo } from './logo.ts'
import { settingsMembers, taxRatePpm } from './settings-object.ts'
import {
  ACQUIRER_USAGE,
  setAcquirer,
  THREE_DS_OPTIONS,
  THREE_DS_USAGE,
  threeDsSettingsFrom,
  threeDsSettingsText,
} from './three-ds-command.ts'

const USAGE = `Usage: npm run business -- <what>

  create   --name TEXT --currency USD|CAD --country US|CA --time-zone NAME
           [--province CODE] [--locale en|fr-CA|es] [--support-email EMAIL] [--support-phone TEXT]
           [--terms-url URL] [--privacy-url URL]
           Creates a business with a terminal in each currency.
  set      --business ID, with any of the options above but currency, and with
           [--surcharge-rate PERCENT] [--brand-color #RRGGBB] [--color-scheme light|dark|auto] [--logo FILE]
           [--first-charge on_start_date|at_create] [--after-last-retry keep|pause|cancel]
           [--surcharge-rounding half_up|down] [--default-tax-rate PERCENT] [--batch-close-time HH:MM]
           [--billing-run-time HH:MM] [--missed-dates NUMBER] [--corner-radius PIXELS]
           [--cvv-policy accept|decline_mismatch|require_match] [--avs-policy accept|decline_no_match|
             decline_postal_mismatch|decline_any_mismatch|require_match] [--saved-card-cvv on|off]
           [--font-stack system|humanist|geometric|rounded|serif]
           ${THREE_DS_USAGE}
           ${LETTER_USAGE}
           Changes the given settings. An empty value removes a setting: --logo ""
  ${ACQUIRER_USAGE}
  list     All businesses with their ids.

Example: npm run business -- create --name "My Shop" --currency USD --country US --time-zone America/New_York
Then register its server: npm run clients -- create …`

/** Options for texts that may be removed. */
const OPTIONAL_TEXTS = {
  province: 'province',
  locale: 'locale',
  supportEmail: 'support-email',
  supportPhone: 'support-phone',
  termsUrl: 'terms-url',
  privacyUrl: 'privacy-url',
  brandColor: 'brand-color',
  batchCloseTime: 'batch-close-time',
} as const
/** Options for texts that a business always has. */
const REQUIRED_TEXTS = {
  name: 'name',
  country: 'country',
  timeZone: 'time-zone',
  colorScheme: 'color-scheme',
  firstCharge: 'first-charge',
  afterLastRetry: 'after-last-retry',
  surchargeRounding: 'surcharge-rounding',
  cvvPolicy: 'cvv-policy',
  avsPolicy: 'avs-policy',
  billingRunLocalTime: 'billing-run-time',
  fontStack: 'font-stack',
} as const
const NUMBERS = { missedDatesMax: 'missed-dates', cornerRadius: 'corner-radius' } as const
const SAVED_CARD_CVV = 'saved-card-cvv'
const OTHERS = [
  'business',
  'currency',
  SAVED_CARD_CVV,
  'surcharge-rate',
  'default-tax-rate',
  'logo',
  ...LETTER_OPTIONS,
  ...THREE_DS_OPTIONS,
]

type Texts = Partial<Record<keyof typeof OPTIONAL_TEXTS, string | null>>

interface CommandServices {
  db: Db
  clock: Clock
  /** Whether payers can be authenticated. Absent means yes, as in staging. */
  hasThreeDsServer?: boolean
}

/**
 * Runs `npm run business -- …`.
 *
 * @returns the output
 * @throws UsageError; ApiError `validation_failed`, `not_found`
 */
export async function businessCommand(services: CommandServices, args: readonly string[]): Promise<string> {
  const named = { ...OPTIONAL_TEXTS, ...REQUIRED_TEXTS, ...NUMBERS }
  const options = [...Object.values(named), ...OTHERS]
  const command = readCommand(args, { usage: USAGE, options })
  switch (command.verb) {
    case 'create':
      return create(services, command)
    case 'set':
      return set(services, command)
    case 'acquirer':
      return setAcquirer(services, command)
    case 'list':
      return (await listBusinesses(services.db)).map(line).join('\n') || 'There is no business yet.'
    default:
      throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  }
}

async function create({ db, clock }: { db: Db; clock: Clock }, command: Command): Promise<string> {
  const { required } = command
  const business = await transaction(db, (tx) =>
    createAndRecord(
      { db: tx, clock },
      {
        ...givenTexts(command),
        name: required('name'),
        currency: required('currency') as Currency,
        country: required('country') as Country,
        timeZone: required('time-zone'),
      },
    ),
  )
  return business.supportEmail === null ? `${line(business)}\n${unread(business)}` : line(business)
}

const unread = ({ id }: Business) => `
It has no support e-mail: letters to the business, such as failed payments and disabled webhook endpoints, go to its
owners in the dashboard, and to nobody while it has none. To name one:
npm run business -- set --business ${id} --support-email EMAIL`

/** Creates a business, and writes its audit entry (DSH-15). */
async function createAndRecord(services: { db: Tx; clock: Clock }, wanted: NewBusiness): Promise<Business> {
  const business = await createBusiness(services, wanted)
  const { id: businessId, name, currency, country, timeZone: time_zone } = business
  const after = { name, currency, country, time_zone }
  const entry = { businessId, actor: OPERATOR, action: 'business.create' } as const
  const object = { type: 'business', id: businessId }
  return audited(services, entry, async () => ({ result: business, object, after }))
}

async function set({ db, clock, hasThreeDsServer = true }: CommandServices, command: Command): Promise<string> {
  const { optional, required } = command
  const id = required('business')
  if (!isUuid(id)) throw invalidField('business', 'must be an id from `npm run business -- list`')
  const file = optional('logo')
  const logo = file === undefined ? undefined : file === '' ? null : readLogo(file)
  const change = {
    settings: { ...settingsFrom(command), ...threeDsSettingsFrom(command, hasThreeDsServer) },
    letters: letterSettingsFrom(command),
    logo,
  }
  const { business, letters } = await changeAndRecord({ db, clock }, id, change)
  return settingsText(business, letters)
}

/** Changes settings, and writes the audit entry (DSH-15). */
function changeAndRecord(
  services: { db: Db; clock: Clock },
  businessId: string,
  change: Parameters<typeof changeSettings>[2],
): ReturnType<typeof changeSettings> {
  return audited(services, { businessId, actor: OPERATOR, action: 'settings.change' }, async (tx) => {
    const old = await findBusiness(tx, businessId)
    const before = old && settingsMembers(old, await findStoredLetterSettings(tx, businessId))
    const result = await changeSettings(tx, businessId, change)
    const changes = changesBetween(before ?? {}, settingsMembers(result.business, result.letters))
    return { result, object: { type: 'business', id: businessId }, ...changes }
  })
}

function settingsFrom(command: Command): Partial<Settings> {
  const { optional } = command
  const rate = optional('surcharge-rate')
  const tax = optional('default-tax-rate')
  const texts = Object.entries(REQUIRED_TEXTS).map(([name, option]) => [name, optional(option)])
  const numbers = Object.entries(NUMBERS).map(([name, option]) => [name, numberFrom(optional(option))])
  const given = [...texts, ...numbers].filter(([, value]) => value !== undefined)
  return {
    ...givenTexts(command),
    // `checkBusiness` checks the words and limits of each.
    ...(Object.fromEntries(given) as Partial<Settings>),
    ...savedCardFrom(command),
    ...(rate !== undefined && { surchargeRateBp: basisPoints(rate) }),
    ...(tax !== undefined && { defaultTaxRatePpm: taxRatePpm(tax === '' ? null : Number(tax)) }),
  }
}

function savedCardFrom({ optional }: Command): Partial<Settings> {
  const word = optional(SAVED_CARD_CVV)
  if (word === undefined) return {}
  if (word !== 'on' && word !== 'off') throw invalidField(SAVED_CARD_CVV, 'must be on or off')
  return { savedCardCvvRequired: word === 'on' }
}

/** Reads a number; returns `NaN` for any other text. */
const numberFrom = (text: string | undefined) =>
  text === undefined ? undefined : /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN

/** Reads the given texts. An empty text removes the setting. */
function givenTexts({ optional }: Command): Texts {
  const texts: Texts = {}
  for (const name of Object.keys(OPTIONAL_TEXTS) as (keyof typeof OPTIONAL_TEXTS)[]) {
    const text = optional(OPTIONAL_TEXTS[name])
    if (text !== undefined) texts[name] = text || null
  }
  return texts
}

/** Converts a percentage to basis points, read like cents of a dollar amount; `null` for no surcharge. */
function basisPoints(percent: string): number | null {
  if (percent === '' || Number(percent) === 0) return null
  return centsFromDecimal(Number(percent)) ?? Number.NaN
}

function settingsText(business: Business, letters: StoredLetterSettings): string {
  const { surchargeRateBp: rate, defaultTaxRatePpm: tax, logoHash, colorScheme } = business
  const texts = Object.entries(OPTIONAL_TEXTS).map(([name, option]) => [option, business[name as keyof Texts]])
  const others = [
    ['surcharge-rate', rate === null ? null : `${rate / 100} %`],
    ['default-tax-rate', tax === null ? null : `${percentOf(tax)} %`],
    ['color-scheme', colorScheme],
    ['first-charge', business.firstCharge],
    ['after-last-retry', business.afterLastRetry],
    ['surcharge-rounding', business.surchargeRounding],
    ['cvv-policy', business.cvvPolicy],
    ['avs-policy', business.avsPolicy],
    [SAVED_CARD_CVV, business.savedCardCvvRequired ? 'on' : 'off'],
    ['billing-run-time', business.billingRunLocalTime],
    ['missed-dates', business.missedDatesMax],
    ['corner-radius', business.cornerRadius],
    ['font-stack', business.fontStack],
    ['logo', logoHash && 'set'],
    ...threeDsSettingsText(business),
    ...letterSettingsText(letters),
  ]
  const lines = [...texts, ...others].map(([option, value]) => `  ${String(option).padEnd(20)}${value ?? '–'}`)
  return [line(business), ...lines].join('\n')
}

const line = ({ id, currency, country, timeZone, name }: Business) =>
  `${id}  ${currency}  ${country}  ${timeZone}  ${name}`
