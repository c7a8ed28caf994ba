import { readFileSync } from 'node:fs'
import { OPERATOR } from '../../audit/actor.ts'
import type { AuditEntry } from '../../audit/audit.ts'
import { audited } from '../../audit/audited.ts'
import type { Business } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import { holdsCardNumber } from '../../lib/card-number-in-text.ts'
import { type Command, readCommand, UsageError } from '../../lib/command.ts'
import { invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Contract } from '../contract.ts'
import { type ContractServices, createContract, linkContract, sendContract, voidContract } from './change-contract.ts'
import { listContracts } from './contract-queries.ts'

const USAGE = `Usage: npm run contracts -- <what> --business ID

  create   --customer ID --title TEXT --file PATH   A draft with the text of the file (UTF-8).
  link     --contract ID --subscription ID          Nothing of the subscription is charged until it is signed.
  send     --contract ID                            From now on the customer can sign it. Prints the page.
  void     --contract ID                            It can no longer be signed, and a signature no longer counts.
  list                                              The newest 50.

Business ids: npm run business -- list`

const GRAMMAR = {
  usage: USAGE,
  options: ['business', 'customer', 'title', 'file', 'contract', 'subscription'],
}
const TITLE_MAX = 255
const TEXT_MAX = 100_000
const LISTED = 50

interface Call {
  services: ContractServices
  business: Business
  command: Command
}

const VERBS: Record<string, (call: Call) => Promise<string>> = { create, link, send, void: annul, list }

/**
 * Runs `npm run contracts -- …`.
 *
 * @throws UsageError; ApiError `validation_failed`, `not_found`, `conflict`
 */
export async function contractsCommand(services: ContractServices, args: readonly string[]): Promise<string> {
  const command = readCommand(args, GRAMMAR)
  const run = VERBS[command.verb]
  if (!run) throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  const business = await findBusiness(services.db, idOf(command, 'business'))
  if (!business) throw invalidField('business', 'must be an id from `npm run business -- list`')
  return run({ services, business, command })
}

function idOf(command: Command, option: string): string {
  const id = command.required(option)
  if (!isUuid(id)) throw invalidField(option, 'must be an id')
  return id
}

async function create({ services, business, command }: Call): Promise<string> {
  const title = command.required('title')
  if (title.length > TITLE_MAX) throw invalidField('title', `must have at most ${TITLE_MAX} characters`)
  const text = readText(command.required('file'))
  const customerId = idOf(command, 'customer')
  const make = (inside: ContractServices) => createContract(inside, { business, customerId, title, text })
  return line(await recorded({ services, business }, 'contract.create', make))
}

/** Changes a contract and records the change in the audit log. */
function recorded(
  { services, business }: Pick<Call, 'services' | 'business'>,
  action: AuditEntry['action'],
  change: (inside: ContractServices) => Promise<Contract>,
): Promise<Contract> {
  return audited(services, { businessId: business.id, actor: OPERATOR, action }, async (tx) => {
    const contract = await change({ ...services, db: tx })
    const { id, status, title } = contract
    return { result: contract, object: { type: 'contract', id }, after: { status, title } }
  })
}

function readText(path: string): string {
  const text = readFileSync(path, 'utf8').normalize('NFC').trim()
  if (text === '' || text.length > TEXT_MAX) throw invalidField('file', `must have 1 to ${TEXT_MAX} characters`)
  if (holdsCardNumber(text)) throw invalidField('file', 'must not contain a card number')
  return text
}

async function link({ services, business, command }: Call): Promise<string> {
  const [id, subscriptionId] = [idOf(command, 'contract'), idOf(command, 'subscription')]
  const entry = { businessId: business.id, actor: OPERATOR, action: 'contract.link' } as const
  const { subscription } = await audited(services, entry, async (tx) => {
    const result = await linkContract({ ...services, db: tx }, { business, id, subscriptionId })
    return { result, object: { type: 'contract', id }, after: { subscription: subscriptionId } }
  })
  return `${id}  linked to ${subscription.id} (${subscription.status})`
}

async function send({ services, business, command }: Call): Promise<string> {
  const which = { business, id: idOf(command, 'contract') }
  const contract = await recorded({ services, business }, 'contract.send', (inside) => sendContract(inside, which))
  return [line(contract), services.subscriptionLink?.(contract)].filter(Boolean).join('\n')
}

async function annul({ services, business, command }: Call): Promise<string> {
  const which = { business, id: idOf(command, 'contract') }
  return line(await recorded({ services, business }, 'contract.void', (inside) => voidContract(inside, which)))
}

async function list({ services, business }: Call): Promise<string> {
  const contracts = await listContracts(services.db, business.id, LISTED)
  return contracts.map(line).join('\n') || 'No contracts.'
}

function line({ id, status, customerId, title, signature }: Contract): string {
  const signed = signature ? `  signed by ${signature.name} on ${signature.at.toISOString()} from ${signature.ip}` : ''
  return `${id}  ${status.padEnd(6)}  ${customerId}  ${title}${signed}`
}
