import type { Db } from '../db/connection.ts'
import { transaction } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { type Command, readCommand, UsageError } from '../lib/command.ts'
import type { Currency } from '../lib/money.ts'
import type { Business, Country } from './business.ts'
import { listBusinesses } from './business-queries.ts'
import { createBusiness } from './create-business.ts'

const USAGE = `Usage: npm run business -- <what>

  create   --name TEXT --currency USD|CAD --country US|CA --time-zone NAME
           [--province CODE] [--locale NAME] [--support-email EMAIL] [--support-phone TEXT]
           [--terms-url URL] [--privacy-url URL] [--logo-url URL]
           Opens a business with a terminal in each currency.
  list     All businesses with their ids.

Example: npm run business -- create --name "My Shop" --currency USD --country US --time-zone America/New_York
Then register its server: npm run clients -- create …`

const OPTIONS = {
  name: 'name',
  currency: 'currency',
  country: 'country',
  timeZone: 'time-zone',
  province: 'province',
  locale: 'locale',
  supportEmail: 'support-email',
  supportPhone: 'support-phone',
  termsUrl: 'terms-url',
  privacyUrl: 'privacy-url',
  logoUrl: 'logo-url',
} as const

/**
 * `npm run business -- …`
 *
 * @returns what to print
 * @throws UsageError; ApiError `validation_failed`
 */
export async function businessCommand(services: { db: Db; clock: Clock }, args: readonly string[]): Promise<string> {
  const command = readCommand(args, { usage: USAGE, options: Object.values(OPTIONS) })
  switch (command.verb) {
    case 'create':
      return create(services, command)
    case 'list':
      return (await listBusinesses(services.db)).map(line).join('\n') || 'There is no business yet.'
    default:
      throw new UsageError(`Unknown: ${command.verb}`, USAGE)
  }
}

async function create({ db, clock }: { db: Db; clock: Clock }, { required, optional }: Command): Promise<string> {
  const business = await transaction(db, (tx) =>
    createBusiness(
      { db: tx, clock },
      {
        name: required(OPTIONS.name),
        currency: required(OPTIONS.currency) as Currency,
        country: required(OPTIONS.country) as Country,
        timeZone: required(OPTIONS.timeZone),
        province: optional(OPTIONS.province) ?? null,
        locale: optional(OPTIONS.locale) ?? null,
        supportEmail: optional(OPTIONS.supportEmail) ?? null,
        supportPhone: optional(OPTIONS.supportPhone) ?? null,
        termsUrl: optional(OPTIONS.termsUrl) ?? null,
        privacyUrl: optional(OPTIONS.privacyUrl) ?? null,
        logoUrl: optional(OPTIONS.logoUrl) ?? null,
      },
    ),
  )
  return line(business)
}

const line = ({ id, currency, country, timeZone, name }: Business) =>
  `${id}  ${currency}  ${country}  ${timeZone}  ${name}`
