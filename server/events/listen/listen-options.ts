import { EVENT_TYPES, type EventType } from '../../../contract/event.ts'
import { readCommand, UsageError } from '../../lib/command.ts'
import { splitUrl } from '../webhooks/basic-auth.ts'

const LISTEN_USAGE = `Usage: npm run listen -- --forward-to URL [--since 2h] [--events a,b] [--url URL] [--key KEY]

Sends the events of a running Rialto to a receiver of yours, signed as webhooks are. For developers without a public
address: nothing is registered, and real webhook endpoints are not affected.

  --forward-to URL   your receiver, such as http://localhost:3000/webhooks; for HTTP basic authentication
                     http://user:password@localhost:3000/webhooks
  --since 2h         first sends the events of the last 30s, 15m, 2h or 3d
  --events a,b       only these types; payment.* are all that begin so. Default: all
  --url URL          of the API. Default: that of the demo, or BASE_URL
  --key KEY          a secret key. Default: RIALTO_SECRET_KEY, or the demo's in staging

A key in --key and a password in --forward-to are visible to other users of this machine: for the key prefer
RIALTO_SECRET_KEY.`

/** Defaults for the key and the URL of its Rialto, if the command line does not name them. */
export interface ListenDefaults {
  baseUrl: string
  secretKey: string | null
  /** URL and key of the demo business; `null` outside staging, and before the first start. */
  demo: { url: string; key: string } | null
}

export interface ListenOptions {
  /** {base_url} */
  url: string
  key: string
  receiver: URL
  /** User name, colon and password for the receiver. */
  credentials: string | null
  /** `null` if only events from now on are forwarded. */
  sinceMs: number | null
  receives(type: string): boolean
}

/** @throws UsageError */
export function readListenOptions(args: readonly string[], defaults: ListenDefaults): ListenOptions {
  const options = ['forward-to', 'since', 'events', 'url', 'key']
  const { required, optional } = readCommand(['listen', ...args], { usage: LISTEN_USAGE, options })
  const { url: forwardTo, credentials, refusal } = splitUrl(required('forward-to'))
  const receiver = webUrl('forward-to', forwardTo)
  if (refusal !== null) throw usage(`--forward-to ${refusal}`)
  const given = optional('key') ?? defaults.secretKey
  const { demo } = defaults
  const key = given ?? demo?.key
  if (!key) throw usage('A secret key is required: --key, RIALTO_SECRET_KEY, or a data/demo.json (npm start makes it)')
  const url = optional('url') ?? (given === null && demo ? demo.url : defaults.baseUrl)
  const since = optional('since')
  return {
    url: webUrl('url', url).origin,
    key,
    receiver,
    credentials,
    sinceMs: since === undefined ? null : readSpan(since),
    receives: readTypes(optional('events')),
  }
}

const usage = (problem: string) => new UsageError(problem, LISTEN_USAGE)

function webUrl(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw usage(`--${option} must be an http or https URL, such as http://localhost:3000/webhooks`)
  }
  return url
}

const UNIT_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function readSpan(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined) throw usage('--since must be a number with a unit: 30s, 15m, 2h or 3d')
  return Number(count) * (UNIT_MS[unit] ?? 0)
}

function readTypes(text: string | undefined): ListenOptions['receives'] {
  const wanted = (text ?? '*').split(',').map((name) => name.trim())
  const types = new Set(wanted.flatMap(typesNamed))
  // A newer service may send types that this version does not know.
  return wanted.includes('*') ? () => true : (type) => types.has(type as EventType)
}

function typesNamed(name: string): EventType[] {
  const found = EVENT_TYPES.filter((type) => (name.endsWith('*') ? type.startsWith(name.slice(0, -1)) : type === name))
  if (found.length === 0) throw usage(`--events: there is no event ${name}. docs/reference/events.md lists them`)
  return found
}
