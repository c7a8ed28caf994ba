import { AMOUNT_CENTS, MAGIC_CARDS } from './magic-cards.ts'

// Prints docs/reference/test-cards.md:
//   node server/gateway/simulator/test-cards-page.ts > docs/reference/test-cards.md

/** The page of the test cards, from the table the simulator obeys. */
export function testCardsPage(): string {
  return `# Test cards

The gateway simulator knows these numbers. Any future expiry and any CVV work, except for the rules below. Any other number is
approved when it passes the Luhn check, and refused when it does not. Real card numbers have no place in a simulator.

This page is printed from \`server/gateway/simulator/magic-cards.ts\`; a test keeps it equal.

| Number | Code | What happens |
|---|---|---|
${MAGIC_CARDS.map(({ number, code, does }) => `| ${grouped(number)} | ${code} | ${does} |`).join('\n')}

A dash means that no usable result comes back: the outcome is unknown until an inquiry resolves it.

## Recurring charges

A charge is a later one when the merchant starts it (\`initiator: merchant\`), its reason is \`recurring\` or \`installment\`,
and it is not the first of its series (\`initial: false\`). A merchant-initiated charge is declined (ND, 57) unless a charge in
which the cardholder stored the card (\`initiator: cardholder\`, \`initial: true\`) was approved before.

## CVV and expiry

These rules come before the card's own behaviour.

| Sent | What happens |
|---|---|
| CVV 000 (0000) | mismatch: N7 |
| CVV 999 (9999) | match, also on 4000 0000 0000 0101 |
| CVV 001 (0001) | not processed; the sale goes on |
| an expiry in the past | ND, expired card |

## Amounts on 4000 9900 0000 2307

The cents of the amount decide. Any other cents are approved.

| Cents | What happens |
|---|---|
${centsRows().join('\n')}
${STEERING}`
}

const STEERING = `
## Steering the simulator

A developer can control the simulator: the next outcome, a delay, an outage, another time. Its port responds to this machine
only, never to a web page, and every path but \`GET /_sim/health\` needs the secret of its start. A running service keeps address
and secret in \`simulator.json\` in its data directory, readable by its own user:

\`\`\`sh
URL=$(sed -n 's/.*"url": "\\(.*\\)".*/\\1/p' data/simulator.json)
SECRET=$(sed -n 's/.*"secret": "\\(.*\\)".*/\\1/p' data/simulator.json)
curl -s $URL/_sim/ledger -H "x-simulator-secret: $SECRET"
curl -s $URL/_sim/script -H "x-simulator-secret: $SECRET" -d '{"outcomes":[{"op":"sale","outcome":"silent_recorded"}]}'
\`\`\`

| Path | What it does |
|---|---|
| \`GET /_sim/health\` | whether it listens |
| \`GET /_sim/clock\` | its time |
| \`GET /_sim/ledger?terminal=…&merchantRef=…\` | what it has recorded |
| \`POST /_sim/script\` | arranges \`outcomes\`, \`latency\`, \`down\`, \`faults\`, \`advanceClockMs\`: \`server/gateway/simulator/wire.ts\` |
| \`POST /_sim/reset-script\` | resets all of it but the clock |
| \`POST /_sim/settle\` | closes the batch of a \`terminal\` and \`currency\` |
| \`POST /v1/sale\`, \`void\`, \`refund\`, \`inquire\`, \`list\` | the gateway itself; the terminal as \`Authorization: Bearer\` |

To run it by hand: \`node server/gateway/simulator/main.ts --port 4002 --ledger data/simulator.jsonl --secret-file data/simulator.secret\`.
The secret file is created if it is missing. Point a service to it with \`SIMULATOR_URL\` and \`SIMULATOR_SECRET\`.
`

function grouped(number: string): string {
  return number.length === 15 ? number.replace(/(.{4})(.{6})/, '$1 $2 ') : number.replace(/(.{4})(?=.)/g, '$1 ')
}

function centsRows(): string[] {
  return Object.entries(AMOUNT_CENTS)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([cents, behaviour]) => `| .${cents} | ${behaviour.replaceAll('_', ' ')} |`)
}

if (import.meta.main) process.stdout.write(testCardsPage())
