import { isIPv6 } from 'node:net'
import type { DemoCredentials } from '../demo/demo-file.ts'

/** A link that opens the dashboard without a password. */
export interface Entry {
  /** Purpose of the link; `set_up` is for the first person. */
  purpose: 'set_up' | 'sign_in'
  link: string
  minutes: number
  /** Command that prints another link. */
  command: string
}

/**
 * Returns the first output for a new user: addresses, three commands for a test payment, and one for the merchant API.
 * The commands contain credentials, so they are printed only on a terminal; a log or a journal would store them.
 */
export function startText(started: Started): string {
  const { baseUrl, demoFile, demo, entry, isTerminal } = started
  const where = placesText(started)
  if (!demo) return [...where, ...entryLines(entry, isTerminal), ''].join('\n')
  where.push(
    `  Demo          ${demoFile}  (business, token and the rest; staging only)`,
    ...entryLines(entry, isTerminal),
  )
  if (!isTerminal) return [...where, '', 'Try a test payment: docs/start.md, step 2', ''].join('\n')
  const api = `${baseUrl}/api/${demo.business_id}/checkout`
  return [
    ...where,
    '',
    'Try a test payment. Paste these three:',
    '',
    ...curlCommands(api, demo),
    '',
    '  Card 4242 4242 4242 4242, any later date, any code. More test cards: docs/reference/test-cards.md',
    '',
    'The merchant API takes the secret key of the demo:',
    `curl -s ${baseUrl}/api/v1/account -H 'Authorization: Bearer ${demo.api_key}'`,
    '',
  ].join('\n')
}

interface Started {
  environment: 'staging' | 'production'
  baseUrl: string
  dashboardUrl: string
  /** Origin of the dashboard. */
  dashboardOrigin: string
  entry: Entry | null
  operationsHost: string
  operationsPort: number
  demoFile: string
  demo: DemoCredentials | null
  isTerminal: boolean
  /** Link to the mailbox with all letters. */
  mailboxLink: string
}

function placesText(started: Started) {
  const { environment, baseUrl, dashboardUrl, dashboardOrigin, operationsHost, operationsPort } = started
  return [
    '',
    'Rialto is ready.',
    '',
    `  API           ${baseUrl}  (reference: ${baseUrl}/docs)`,
    `  Payment page  ${dashboardUrl}`,
    `  Dashboard     ${dashboardOrigin}/dashboard`,
    ...(environment === 'staging' ? [mailboxLine(started)] : []),
    `  Operations    http://${isIPv6(operationsHost) ? `[${operationsHost}]` : operationsHost}:${operationsPort}  (metrics, health)`,
  ]
}

/**
 * Returns the line of the mailbox. The key in its link opens letters that sign people in, so it is printed only on a
 * terminal.
 */
function mailboxLine({ dashboardUrl, mailboxLink, isTerminal }: Started): string {
  return isTerminal
    ? `  Mailbox       ${mailboxLink}  (letters; from this machine)`
    : `  Mailbox       ${dashboardUrl}/mailbox  (letters; those to people of the dashboard: npm run -s dashboard -- mailbox)`
}

/**
 * Returns the lines of the sign-in link. Whoever has the link is signed in, so it is printed only on a terminal;
 * elsewhere, the command that prints one is.
 */
function entryLines(entry: Entry | null, isTerminal: boolean): string[] {
  if (!entry) return []
  const { purpose, link, minutes, command } = entry
  const what = purpose === 'set_up' ? 'Set up the dashboard' : 'Sign in to the dashboard'
  return isTerminal
    ? ['', `${what}, with this link (once, within ${minutes} minutes):`, `  ${link}`]
    : ['', `${what} with a link that this prints: ${command}`]
}

function curlCommands(api: string, { access_token, redirect_url, dashboard_url }: DemoCredentials): string[] {
  const bearer = `-H 'Authorization: Bearer ${access_token}'`
  const session = {
    amount_total: 25.5,
    customer_email: 'ana@example.com',
    success_url: `${redirect_url}/thanks`,
    cancel_url: `${redirect_url}/cart`,
  }
  return [
    '1. Create a session:',
    `TOKEN=$(curl -s ${api}/create ${bearer} -H 'Content-Type: application/json' -d '${JSON.stringify(session)}' | tee /dev/stderr | sed -n 's/.*"token":"\\([A-Za-z0-9_-]*\\)".*/\\1/p')`,
    '',
    '2. Check that its page responds, then open the address in a browser and pay:',
    `curl -s -o /dev/null -w '%{http_code} %{url}\\n' ${dashboard_url}/customer/checkout/$TOKEN`,
    '',
    '3. Read its outcome:',
    `curl -s ${api}/$TOKEN/details ${bearer}`,
  ]
}
