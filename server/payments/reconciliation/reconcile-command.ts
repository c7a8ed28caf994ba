import { type Command, readCommand, UsageError } from '../../lib/command.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { decimalFromCents } from '../../lib/money.ts'
import type { PaymentServices } from '../services.ts'
import type { RecordedFinding } from './finding.ts'
import { type FindingFilter, listFindings, resolveFinding } from './finding-queries.ts'
import { reconcileDay } from './reconcile-day.ts'
import { dayOf } from './reconcile-due-days.ts'
import { listTerminals } from './reconciliation-queries.ts'

const LISTED_MAX = 200
const NOTE_CHARACTERS_MAX = 500

const USAGE = `Usage: npm run reconcile -- <what>

  list     [--business ID] [--day YYYY-MM-DD] [--all]
           Lists open differences between the gateway and our operations; with --all also resolved ones.
           At most the newest ${LISTED_MAX}.
  run      [--day YYYY-MM-DD] [--business ID]
           Compares a day (UTC, today by default) of every terminal with the gateway now, and lists open findings.
  resolve  --finding ID --note TEXT
           Marks a finding as resolved. It is reopened only if the difference changes.

Kinds of findings and what to do about them: docs/operating/reconciliation.md`

const GRAMMAR = { usage: USAGE, options: ['business', 'day', 'finding', 'note'], flags: ['all'] }

const VERBS = new Map<string, (services: PaymentServices, command: Command) => Promise<string>>([
  ['list', list],
  ['run', run],
  ['resolve', resolve],
])

/**
 * Runs `npm run reconcile -- …`.
 *
 * @returns what to print
 * @throws UsageError; ApiError `validation_failed`; `gateway_unavailable` when a day could not be compared
 */
export async function reconcileCommand(services: PaymentServices, args: readonly string[]): Promise<string> {
  const command = readCommand(args, GRAMMAR)
  const verb = VERBS.get(command.verb)
  if (!verb) throw new UsageError(`Unknown command: ${command.verb}`, USAGE)
  return verb(services, command)
}

async function list(services: PaymentServices, command: Command): Promise<string> {
  const day = command.optional('day') === undefined ? undefined : dayFrom(command, services.clock.now())
  return findingsText(services, { businessId: businessOf(command), day, withResolved: command.flag('all') })
}

async function run(services: PaymentServices, command: Command): Promise<string> {
  const day = dayFrom(command, services.clock.now())
  const businessId = businessOf(command)
  const terminals = await listTerminals(services.db, businessId)
  if (terminals.length === 0) throw invalidField('business', 'does not exist, or has no terminal')
  const lines: string[] = []
  const failed: string[] = []
  for (const terminal of terminals) {
    const { outcome, ...result } = await reconcileDay(services, { terminal, day })
    const line = `${terminal.merchantCode} ${day}: ${RESULTS[outcome](result)}`
    ;(outcome === 'failed' ? failed : lines).push(line)
  }
  if (failed.length > 0) throw new ApiError('gateway_unavailable', { message: [...lines, ...failed].join('\n') })
  return [...lines, '', await findingsText(services, { businessId, day, withResolved: false })].join('\n')
}

const RESULTS: Record<'completed' | 'failed' | 'running', (result: Record<string, unknown>) => string> = {
  completed: ({ transactions }) => `compared; the gateway lists ${transactions}`,
  failed: ({ message }) => `NOT compared: ${message}`,
  running: () => 'another process is comparing this day; list again in a minute',
}

async function resolve(services: PaymentServices, command: Command): Promise<string> {
  const id = command.required('finding')
  const note = command.required('note').trim().slice(0, NOTE_CHARACTERS_MAX)
  if (note === '') throw invalidField('note', 'must say why the finding is resolved')
  const isResolved = isUuid(id) && (await resolveFinding(services.db, id, note, services.clock.now()))
  if (!isResolved)
    throw invalidField('finding', `${id} is not the id of an open finding. See: npm run reconcile -- list`)
  return `${id} is resolved.`
}

async function findingsText({ db }: PaymentServices, filter: Omit<FindingFilter, 'limit'>): Promise<string> {
  const found = await listFindings(db, { ...filter, limit: LISTED_MAX })
  const title = filter.withResolved ? 'Findings:' : 'Open findings:'
  return [title, ...(found.length > 0 ? found.map(findingText) : ['none'])].join('\n')
}

function findingText(found: RecordedFinding): string {
  const { id, kind, transactionKind, merchantCode, day, state, foundAt, businessId } = found
  const resolved = found.resolvedAt && `; resolved by a ${found.resolvedBy} ${found.resolvedAt.toISOString()}`
  return [
    `${id}  ${kind}  ${transactionKind}  ${merchantCode}  ${day}`,
    `    gateway: ${side(found.gatewayState, found.gatewayAmount, found)}${found.gatewayRef ? `, ${found.gatewayRef}` : ''}`,
    `    here:    ${side(found.ourState, found.ourAmount, found)}, ${found.merchantRef}${found.operationId ? `, operation ${found.operationId}` : ''}`,
    `    ${state}, found ${foundAt.toISOString()}${resolved ?? ''}; business ${businessId}`,
    ...(found.note ? [`    note: ${found.note}`] : []),
  ].join('\n')
}

function side(state: string | null, amount: RecordedFinding['ourAmount'], { currency }: RecordedFinding): string {
  return state === null || amount === null ? 'unknown' : `${state} ${decimalFromCents(amount).toFixed(2)} ${currency}`
}

function businessOf(command: Command): string | undefined {
  const id = command.optional('business')
  if (id === undefined || isUuid(id)) return id
  throw invalidField('business', `${id} is not the id of a business. See: npm run business -- list`)
}

function dayFrom(command: Command, now: Date): string {
  const day = command.optional('day') ?? dayOf(now)
  const begins = new Date(`${day}T00:00:00Z`)
  const exists = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(begins.getTime()) && dayOf(begins) === day
  if (exists && begins <= now) return day
  throw invalidField('day', 'must be a day in UTC that has begun, such as 2026-11-22')
}
