import { OPERATOR } from '../audit/actor.ts'
import { audited } from '../audit/audited.ts'
import { changesBetween } from '../audit/changes.ts'
import type { Db } from '../db/connection.ts'
import type { Clock } from '../lib/clock.ts'
import type { Command } from '../lib/command.ts'
import { ApiError, invalidField } from '../lib/errors.ts'
import { isUuid } from '../lib/ids.ts'
import { type Cents, type Currency, centsFromDecimal, decimalFromCents } from '../lib/money.ts'
import type { Business } from './business.ts'
import type { Settings } from './change-settings.ts'
import { CURRENCIES } from './check-business.ts'
import type { Acquirer } from './terminal.ts'
import { findAcquirer, findTerminal, updateAcquirer } from './terminal-queries.ts'

// Options of `npm run business` for 3-D Secure.

export const THREE_DS_USAGE = '[--three-ds on|off] [--three-ds-above AMOUNT]'
export const ACQUIRER_USAGE = `acquirer --business ID --currency USD|CAD
           [--acquirer-bin DIGITS] [--acquirer-merchant-id TEXT] [--category-code DIGITS]
           Sets how the card networks know the terminal of that currency, for 3-D Secure.`

const ENABLED = 'three-ds'
const ABOVE = 'three-ds-above'
const ACQUIRER = {
  acquirerBin: 'acquirer-bin',
  acquirerMerchantId: 'acquirer-merchant-id',
  categoryCode: 'category-code',
} as const
export const THREE_DS_OPTIONS: string[] = [ENABLED, ABOVE, ...Object.values(ACQUIRER)]

/** Form of each member, as an authentication request requires it. */
const RULES: Record<keyof Acquirer, { pattern: RegExp; violation: string }> = {
  acquirerBin: { pattern: /^\d{6,11}$/, violation: 'must have 6 to 11 digits' },
  acquirerMerchantId: { pattern: /^[\x21-\x7e]{1,35}$/, violation: 'must have 1 to 35 characters, without spaces' },
  categoryCode: { pattern: /^\d{4}$/, violation: 'must have four digits (ISO 18245)' },
}

/**
 * Reads the settings of the command line. An empty threshold removes it, so that every payment is authenticated.
 *
 * @throws ApiError `validation_failed`
 */
export function threeDsSettingsFrom({ optional }: Command, hasThreeDsServer: boolean): Partial<Settings> {
  const [word, above] = [optional(ENABLED), optional(ABOVE)]
  if (word !== undefined && word !== 'on' && word !== 'off') throw invalidField(ENABLED, 'must be on or off')
  if (word === 'on' && !hasThreeDsServer) throw invalidField(ENABLED, 'needs a 3-D Secure server: THREE_DS_SERVER_URL')
  return {
    ...(word !== undefined && { threeDsEnabled: word === 'on' }),
    ...(above !== undefined && { threeDsAbove: centsOf(above.trim()) }),
  }
}

function centsOf(amount: string): Cents | null {
  if (amount === '') return null
  const cents = centsFromDecimal(Number(amount))
  if (cents === null) throw invalidField(ABOVE, 'must be an amount, such as 100 or 99.50')
  return cents
}

/** Returns the settings as `set` prints them. */
export function threeDsSettingsText({ threeDsEnabled, threeDsAbove }: Business): [string, string | null][] {
  return [
    [ENABLED, threeDsEnabled ? 'on' : 'off'],
    [ABOVE, threeDsAbove === null ? null : String(decimalFromCents(threeDsAbove))],
  ]
}

/**
 * Changes the given members of a terminal's acquirer, and writes the audit entry (DSH-15). An empty text removes a
 * member.
 *
 * @throws ApiError `validation_failed`, `not_found`
 */
export async function setAcquirer(services: { db: Db; clock: Clock }, command: Command): Promise<string> {
  const businessId = command.required('business')
  const currency = command.required('currency') as Currency
  if (!isUuid(businessId)) throw invalidField('business', 'must be an id from `npm run business -- list`')
  if (!CURRENCIES.includes(currency)) throw invalidField('currency', `must be ${CURRENCIES.join(' or ')}`)
  const given = acquirerFrom(command)
  const entry = { businessId, actor: OPERATOR, action: 'terminal.update' } as const
  const acquirer = await audited(services, entry, async (tx) => {
    const terminal = await findTerminal(tx, businessId, currency)
    const before = terminal && (await findAcquirer(tx, businessId, terminal.id))
    if (!terminal || !before) throw new ApiError('not_found', { message: 'No such terminal' })
    const after = { ...before, ...given }
    await updateAcquirer(tx, { businessId, id: terminal.id, ...after })
    const object = { type: 'terminal', id: terminal.id }
    return { result: after, object, ...changesBetween(membersOf(before), membersOf(after)) }
  })
  return acquirerText(currency, acquirer)
}

function acquirerFrom({ optional }: Command): Partial<Acquirer> {
  const given: Partial<Acquirer> = {}
  for (const name of Object.keys(ACQUIRER) as (keyof Acquirer)[]) {
    const text = optional(ACQUIRER[name])
    if (text === undefined) continue
    const { pattern, violation } = RULES[name]
    if (text !== '' && !pattern.test(text)) throw invalidField(ACQUIRER[name], violation)
    given[name] = text || null
  }
  return given
}

const membersOf = ({ acquirerBin, acquirerMerchantId, categoryCode }: Acquirer) => ({
  acquirer_bin: acquirerBin,
  acquirer_merchant_id: acquirerMerchantId,
  merchant_category_code: categoryCode,
})

function acquirerText(currency: Currency, acquirer: Acquirer): string {
  const names = Object.keys(ACQUIRER) as (keyof Acquirer)[]
  const lines = names.map((name) => `  ${ACQUIRER[name].padEnd(22)}${acquirer[name] ?? '–'}`)
  const isWhole = names.every((name) => acquirer[name] !== null)
  return [currency, ...lines, ...(isWhole ? [] : ['Without all three, production cannot authenticate payments.'])].join(
    '\n',
  )
}
