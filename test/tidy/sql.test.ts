import { deepEqual } from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { nodesOf, product, stringsOf, text } from './tree.ts'

/** Folders whose queries write a table. Others write it through a function, or a fragment of SQL, of that folder. */
const OWNERS: Record<string, string[]> = {
  'server/db': ['job_progress', 'schema_migration'],
  'server/http': ['rate_limit'],
  'server/audit': ['audit_chain', 'audit_entry'],
  'server/three-d-secure': ['authentication'],
  'server/google-pay': ['google_pay_key', 'google_pay_message'],
  'server/businesses': ['business', 'business_logo', 'terminal'],
  'server/access/shared': ['allowed_ip'],
  'server/access/keys': ['api_key'],
  'server/access/tokens': ['access_token', 'browser_token', 'oauth_family', 'refresh_token'],
  'server/access/clients': ['oauth_client'],
  'server/access/people': ['auth_account', 'auth_user', 'business_member', 'sign_in_failure'],
  'server/access/sessions': ['auth_session', 'member_trace', 'member_visit'],
  'server/access/factors': ['factor_reset', 'one_time_code', 'passkey', 'recovery_code', 'totp', 'totp_use'],
  'server/access/members': ['dashboard_limits', 'invitation'],
  'server/dashboard': ['branding_draft', 'dashboard_request', 'refused_request', 'saved_view', 'session_reference'],
  'server/events': [
    'event',
    'notification',
    'webhook_attempt',
    'webhook_delivery',
    'webhook_endpoint',
    'webhook_redelivery',
  ],
  'server/emails': ['invoice', 'invoice_counter', 'invoice_logo', 'letter'],
  'server/vault': ['vault_card', 'vault_key'],
  'server/customers': ['customer', 'stored_card'],
  'server/catalog': ['price', 'product'],
  'server/payments': ['gateway_reference', 'operation', 'payment'],
  'server/payments/refunds': ['refund'],
  'server/payments/batches': ['batch'],
  'server/payments/stored-card-sale': ['sale_request'],
  'server/payments/reconciliation': ['reconciliation', 'reconciliation_finding', 'reconciliation_listed'],
  'server/checkout/pay': ['refused_card_attempt'],
  'server/checkout': ['checkout_session', 'customer_card_link'],
  'server/subscriptions': [
    'bill',
    'contract',
    'notice_progress',
    'resume_request',
    'subscription',
    'subscription_pause',
    'subscription_price',
    'subscription_reference',
    'subscription_start',
  ],
}

const ownerOf = new Map(Object.entries(OWNERS).flatMap(([folder, tables]) => tables.map((table) => [table, folder])))
const server = product.filter((file) => file.startsWith('server/'))
const tables = [...(text('server/db/tables.ts').split('export interface DB {')[1] ?? '').matchAll(/^ {2}(\w+):/gm)].map(
  ([, name = '']) => name,
)

const WRITES_BY_CALL = ['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto']
/** Matches writes. `{}` is a table name that the code inserts: it has no owner, so it is found too. */
const WRITES_IN_SQL =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|(?<!\bfor\s(?:no key\s)?)(?<!\bdo\s)update)\s+(?:only\s+)?(?!set\b)(\w+|\{\})/gi

function tablesWrittenBy(file: string): string[] {
  const called = nodesOf(file).flatMap(({ node, parent }) => {
    if (node.type !== 'MemberExpression' || parent?.type !== 'CallExpression' || parent.callee !== node) return []
    const method = (node.property as { name?: string }).name ?? ''
    const [table] = parent.arguments as { value?: unknown }[]
    return WRITES_BY_CALL.includes(method) ? [typeof table?.value === 'string' ? table.value : '{}'] : []
  })
  const holdsSql = /-quer(?:y|ies)\.ts$/.test(file) || file.startsWith('server/db/')
  const written = stringsOf(file).flatMap(({ value }) =>
    [...value.matchAll(WRITES_IN_SQL)].map(([, name = '']) => name),
  )
  return [...called, ...written.filter((name) => tables.includes(name) || (holdsSql && name === '{}'))]
}

describe('SQL', () => {
  test('SQL is in the queries files and in server/db', () => {
    const files = server.filter((file) => !file.startsWith('server/db/'))
    const holdsSql = /\bsql`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.query\(\s*['"`]/
    deepEqual(
      files.filter((file) => !/-quer(?:y|ies)\.ts$/.test(file) && holdsSql.test(text(file))),
      [],
    )
  })

  test('every table has one owner', () => {
    deepEqual([...ownerOf.keys()].sort(), tables.toSorted())
  })

  test("only its owner's queries write a table", () => {
    const wrong = server.flatMap((file) =>
      tablesWrittenBy(file)
        .filter((table) => !file.startsWith(`${ownerOf.get(table)}/`))
        .map((table) => `${file} writes ${table}, which belongs to ${ownerOf.get(table)}`),
    )
    deepEqual(wrong, [])
  })

  test('every table is written somewhere, so that the search is not blind', () => {
    const functions = globSync('server/**/*.sql').flatMap(
      (file) => text(file).match(/create function[^;]+\$\$.*?\$\$/gs) ?? [],
    )
    const byTriggers = functions.flatMap((body) => [...body.matchAll(WRITES_IN_SQL)].map(([, table = '']) => table))
    const written = new Set([...server.flatMap(tablesWrittenBy), ...byTriggers])
    deepEqual(
      tables.filter((table) => !written.has(table)),
      [],
    )
  })

  test('time in SQL comes from a clock that is given: no now() and none of its kin', () => {
    const databaseTime =
      /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\b(?:current_(?:date|time|timestamp)|localtime|localtimestamp)\b|'now'/i
    const statements = [
      ...server.flatMap((file) => stringsOf(file).map(({ value }) => ({ file, value }))),
      ...globSync('server/**/*.sql').map((file) => ({ file, value: text(file).replace(/--.*$/gm, '') })),
    ]
    deepEqual(
      statements.filter(({ value }) => databaseTime.test(value)).map(({ file, value }) => `${file}: ${value}`),
      [],
    )
  })

  test('each migration has a number of its own, without a gap', () => {
    const numbers = globSync('server/db/migrations/*.sql')
      .sort()
      .map((file) => Number(file.split('/').at(-1)?.slice(0, 4)))
    deepEqual(
      numbers,
      numbers.map((_number, index) => index + 1),
    )
  })
})
