import { TEST_CARD_TEXTS } from '../../../contract/dashboard/test-card-texts.ts'
import { BEHAVIOURS } from './behaviours.ts'
import { GATEWAY_DIGITS } from './coded-card.ts'
import { centsOutcomes, groupedThreeDsCards, testCards } from './test-cards.ts'

// Prints docs/reference/test-cards.md:
//   node server/gateway/simulator/test-cards-page.ts > docs/reference/test-cards.md

/** Prints the test cards page from the simulator's table of magic cards. */
export function testCardsPage(): string {
  return `# Test cards

The gateway simulator recognizes these numbers. Any future expiry and any CVV are accepted, except for the rules below.
Any other number is approved if it passes the Luhn check, and refused otherwise. Never use real card numbers.

This page is generated from the tables in \`server/gateway/simulator/\`; a test keeps the two in sync.

| Number | Code | What happens |
|---|---|---|
${testCards()
  .map(({ number, code, effect }) => `| ${number} | ${code ?? 'by amount'} | ${TEST_CARD_TEXTS[effect]} |`)
  .join('\n')}

A dash means that there is no usable response: the outcome is unknown until an inquiry resolves it.

## Recurring charges

A recurring charge is a later one if the merchant initiates it (\`initiator: merchant\`), its reason is \`recurring\` or
\`installment\`, and it is not the first of its series (\`initial: false\`). A merchant-initiated charge is declined
(ND, 57) unless a charge with which the cardholder stored the card (\`initiator: cardholder\`, \`initial: true\`) was
approved before.

## CVV and expiry

These rules take precedence over the behaviour of the card.

| Sent | What happens |
|---|---|
| CVV 000 (0000) | mismatch: N7 |
| CVV 999 (9999) | match, also on 4000 0000 0000 0101 |
| CVV 001 (0001) | not processed; the sale is not affected |
| an expiry in the past | ND, expired card |

## Amounts on 4000 9900 0000 2307

The cents of the amount decide the outcome. Any other cents are approved.

| Cents | What happens |
|---|---|
${centsOutcomes()
  .map(({ cents, effect }) => `| ${cents} | ${TEST_CARD_TEXTS[effect]} |`)
  .join('\n')}
${threeDsSection()}${GOOGLE_PAY}${STEERING}`
}

function threeDsSection(): string {
  return `
## 3-D Secure

For a business that has 3-D Secure, the digits of these cards say how the payer is authenticated. Any other number is
authenticated without a challenge (Y, version 2.2.0, no method), except for the cards above that say what 3-D Secure
does.

| Visa | Mastercard | American Express | What happens | Result | Response |
|---|---|---|---|---|---|
${groupedThreeDsCards()
  .map(({ visa, mastercard, amex, ...row }) => [visa, mastercard, amex, row.does, row.result, row.response])
  .map((cells) => `| ${cells.join(' | ')} |`)
  .join('\n')}

Where a code is entered by hand, 123456 passes, 000000 fails, and the third wrong one fails.

The numbers are made of the brand's prefix (\`400000\`, \`520000\`, \`340000\`), \`20\`, one digit for each dimension, the
gateway's digits and the Luhn digit, so that any combination can be made:

| Digit | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 |
|---|---|---|---|---|---|---|---|---|---|---|
| version | not 3-D Secure 2 | 2.1.0 | 2.2.0 | 2.3.1 | | | | | | |
| method | works | none | never calls back | refuses | | | | | | |
| result | Y | N | A | R | I | U | directory silent | C | D | error |
| challenge | passes by itself | fails | code by hand | payer cancels | bank never returns | browser says Y, server N | \
garbled, server Y | ends U | no result | bank fails |

The gateway's digits are three, or two for American Express, without the first:

| Digits | Code | Sale after the authentication |
|---|---|---|
${Object.entries(GATEWAY_DIGITS)
  .map(([digits, name]) => `| ${digits} | ${codeOf(name)} | ${name.replaceAll('_', ' ')} |`)
  .join('\n')}

The gateway checks the proof of the authentication as a real one does. It declines with N7 a CAVV that is not 20 bytes,
was used before, or whose ECI does not fit the brand and the result (05 and 06; Mastercard 02 and 01).
`
}

function codeOf(name: (typeof GATEWAY_DIGITS)[keyof typeof GATEWAY_DIGITS]): string {
  const { verdict, delivery } = BEHAVIOURS[name]
  return delivery === 'response' && 'code' in verdict ? (verdict.code ?? '–') : '–'
}

const GOOGLE_PAY = `
## Google Pay

In staging the button opens a simulated wallet instead of Google's. It offers six cards: the card number of a Google
account (\`PAN_ONLY\`, which runs 3-D Secure where the business has it) and the number of a device with a cryptogram
(\`CRYPTOGRAM_3DS\`, which runs none), each of Visa, Mastercard and American Express: what each does is in the
[guide](../guides/google-pay.md). The gateway declines with N7 a device's
number without a valid cryptogram, or with a CVV or an authentication besides.
`

const STEERING = `
## Controlling the simulator

A developer can script the simulator: the next outcome, latency, an outage, the clock. Its port accepts connections from
this machine only and refuses web pages, except for the pages of the simulated bank. Every other path than these and
\`GET /_sim/health\` requires the secret, which is new at each start. A running service
writes the address and the secret to \`simulator.json\` in its data directory, readable only by its own user:

\`\`\`sh
URL=$(sed -n 's/.*"url": "\\(.*\\)".*/\\1/p' data/simulator.json)
SECRET=$(sed -n 's/.*"secret": "\\(.*\\)".*/\\1/p' data/simulator.json)
curl -s $URL/_sim/ledger -H "x-simulator-secret: $SECRET"
curl -s $URL/_sim/script -H "x-simulator-secret: $SECRET" -d '{"outcomes":[{"op":"sale","outcome":"silent_recorded"}]}'
\`\`\`

| Path | What it does |
|---|---|
| \`GET /_sim/health\` | health check |
| \`GET /_sim/clock\` | returns the simulator's time |
| \`GET /_sim/ledger?terminal=…&merchantRef=…\` | returns the ledger |
| \`POST /_sim/script\` | sets \`outcomes\`, \`latency\`, \`down\`, \`faults\`, \`advanceClockMs\`: \`server/gateway/simulator/wire.ts\` |
| \`POST /_sim/reset-script\` | clears the script; the clock stays |
| \`POST /_sim/settle\` | settles the open batch of a \`terminal\` and \`currency\` |
| \`POST /v1/sale\`, \`void\`, \`refund\`, \`inquire\`, \`list\` | the gateway itself; the terminal as \`Authorization: Bearer\` |
| \`POST /3ds/preauth\`, \`auth\`, \`postauth\` | the 3-D Secure server, in the shapes of 3dsecure.io; the secret as \`APIKey\` |
| \`POST /sim/acs/method\`, \`challenge\`, \`challenge/submit\` | the bank's pages, for payers' browsers |
| \`GET /_sim/3ds/received\` | returns what the 3-D Secure server and the bank received, with masked card numbers |
| \`POST /_sim/3ds/script\` | sets \`next\`, \`latencyMs\`, \`expireLookups\`: \`server/three-d-secure/simulator/script.ts\` |
| \`POST /_sim/3ds/reset\` | clears that script and what was received |

To run it by hand, with the Node that Rialto brings:

\`\`\`sh
npx node server/serve/simulator-program.ts --port 4002 --ledger data/simulator.jsonl --secret-file data/simulator.secret
\`\`\`

The secret file is created if it is missing. Point a service at the simulator with \`SIMULATOR_URL\` and
\`SIMULATOR_SECRET\`. \`--public-url\` is the origin of the bank's pages, for browsers that do not reach the port.
`

if (import.meta.main) process.stdout.write(testCardsPage())
