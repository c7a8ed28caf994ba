// All environment variables. docs/reference/configuration.md is generated from this table.

interface Variable {
  name: string
  /** Default as a user would write it; `null` if there is none. */
  fallback: string | null
  description: string
  /** Whether it is removed from the environment after reading, because child processes inherit the environment. */
  isSecret?: true
}

export const VARIABLES: Variable[] = [
  {
    name: 'RIALTO_ENV',
    fallback: 'staging',
    description: '`staging` or `production`. Each has its own credentials, keys and allowed IPs.',
  },
  {
    name: 'RIALTO_DATA_DIR',
    fallback: './data',
    description:
      'Where the embedded PostgreSQL, the demo credentials and the staging keys are kept. The folder is for the service alone; it is closed to other users.',
  },
  {
    name: 'HOST',
    fallback: 'localhost',
    description: 'Address that the API and the payment form bind to; `0.0.0.0` behind a proxy in a container.',
  },
  { name: 'PORT', fallback: '4000', description: 'Port of the API.' },
  { name: 'DASHBOARD_PORT', fallback: '4001', description: 'Port of the payment form, an origin of its own.' },
  {
    name: 'OPERATIONS_HOST',
    fallback: '127.0.0.1',
    description:
      'Address of the third listener: `/metrics`, `/healthz` and `/readyz`. They need no credential, so never use a public address.',
  },
  { name: 'OPERATIONS_PORT', fallback: '4003', description: 'Port of the third listener.' },
  {
    name: 'MAX_CONNECTIONS',
    fallback: '1000',
    description:
      'Connections that each listener keeps open at once, 10 to 100000. When a further one arrives, the one that has waited longest for its client is closed. Allow the process three times as many file handles, and some for the database (`ulimit -n`).',
  },
  {
    name: 'MAX_CONNECTIONS_PER_ADDRESS',
    fallback: 'a quarter of MAX_CONNECTIONS',
    description:
      'As many of one address, or of one IPv6 network (/64). Loopback and `TRUSTED_PROXIES` are not limited: a proxy in front limits its own callers.',
  },
  {
    name: 'KEEP_ALIVE_SECONDS',
    fallback: '75',
    description:
      'How long a connection may wait for its next request, 1 to 3600. It must be longer than what is in front keeps an idle connection, see [environments](../operating/environments.md#in-front-of-rialto).',
  },
  {
    name: 'BASE_URL',
    fallback: 'http://localhost:<PORT>',
    description: 'Public URL of the API. HTTPS in production.',
  },
  {
    name: 'DASHBOARD_URL',
    fallback: 'http://localhost:<DASHBOARD_PORT>',
    description: 'Public URL of the payment form. HTTPS in production.',
  },
  {
    name: 'WALLET_URL',
    fallback: '<BASE_URL>',
    description:
      'Public URL of the frame with the Google Pay button, the only document that loads a script of Google; it leads to the same port as `BASE_URL`. Another origin than `DASHBOARD_URL`, otherwise Google Pay is not offered; a host of its own is recommended. HTTPS in production.',
  },
  {
    name: 'MERCHANT_DASHBOARD_URL',
    fallback: null,
    description:
      'Public URL of the merchant dashboard, on a host of its own that leads to the same port as `DASHBOARD_URL`; recommended in production. HTTPS in production. Without it the dashboard is at `DASHBOARD_URL`.',
  },
  {
    name: 'DATABASE_URL',
    fallback: null,
    description:
      'A PostgreSQL 15 or newer, `postgres://user:password@host:port/name`. Without it the embedded one is started.',
    isSecret: true,
  },
  {
    name: 'DATABASE_CONNECTIONS',
    fallback: '10',
    description: 'Connections of the pool, 1 to 200. No payment holds one while it waits for its gateway.',
  },
  {
    name: 'DATABASE_PREPARED_STATEMENTS',
    fallback: 'on',
    description:
      '`off` behind a pooler in transaction mode that does not keep track of prepared statements, such as PgBouncer before 1.21: see [the database](../operating/database.md). A payment then costs the database more.',
  },
  {
    name: 'RIALTO_MASTER_KEY',
    fallback: null,
    description:
      '32 random bytes in base64 (`openssl rand -base64 32`); production refuses a key that can be guessed, staging warns about it. Several keys are separated by commas, the current one first; older ones still open what they sealed. Required in production; staging keeps its own in the data directory.',
    isSecret: true,
  },
  {
    name: 'TRUSTED_PROXIES',
    fallback: null,
    description:
      'Addresses or CIDR ranges, separated by commas, whose `X-Forwarded-For` is trusted. Without it the peer is the caller.',
  },
  { name: 'RIALTO_RATE_LIMITS', fallback: 'on', description: '`off` is honoured in staging only, for load tests.' },
  {
    name: 'RIALTO_GATEWAY',
    fallback: 'simulator',
    description: 'The card gateway: `simulator`. Production refuses the simulator.',
  },
  {
    name: 'RIALTO_BIN_TABLE',
    fallback: null,
    description:
      'A CSV file that distinguishes credit from debit and prepaid cards: see [BIN table](../operating/bin-table.md). Without it staging knows the test cards, and production adds no surcharge.',
  },
  {
    name: 'SIMULATOR_PORT',
    fallback: '4002',
    description: 'Port of the simulated gateway, 3-D Secure server and bank that run beside the service in staging.',
  },
  {
    name: 'SIMULATOR_PUBLIC_URL',
    fallback: 'http://127.0.0.1:<SIMULATOR_PORT>',
    description:
      'Staging only: the origin at which browsers of payers reach the simulated bank of 3-D Secure. A proxy passes on only `/sim/acs/`, with its `Host`.',
  },
  {
    name: 'SIMULATOR_URL',
    fallback: null,
    description:
      'A gateway simulator that is already running, shared by several processes. Without it the service runs its own.',
  },
  {
    name: 'SIMULATOR_SECRET',
    fallback: null,
    description:
      'Secret of the simulator at `SIMULATOR_URL`: the `secret` in the `simulator.json` of the process that runs it.',
    isSecret: true,
  },
  {
    name: 'GOOGLE_PAY_ROOT_KEYS_URL',
    fallback: null,
    description:
      "Where Google's root keys are fetched once a business has Google Pay. Without it production takes Google's own, and staging trusts the simulated wallet in the place of Google's: see [Google Pay](../operating/google-pay.md).",
  },
  {
    name: 'GOOGLE_PAY_GATEWAY',
    fallback: '`rialto` in staging',
    description:
      'Our name as a registered gateway at Google. Without it only businesses with a merchant id of their own at Google can have Google Pay.',
  },
  {
    name: 'GOOGLE_PAY_MERCHANT_ID',
    fallback: null,
    description:
      'The merchant id that Google gave you, the operator: the button names it where this service is the gateway. Required in production with `GOOGLE_PAY_GATEWAY`.',
  },
  {
    name: 'THREE_DS_SERVER_URL',
    fallback: null,
    description:
      'A 3-D Secure server with the API of 3dsecure.io, such as `https://service.3dsecure.io`: see [3-D Secure](../operating/three-d-secure.md). HTTPS in production. Without it staging uses the simulator, and production cannot enable 3-D Secure.',
  },
  {
    name: 'THREE_DS_SERVER_KEY',
    fallback: null,
    description: 'The API key for `THREE_DS_SERVER_URL`. Each needs the other.',
    isSecret: true,
  },
  {
    name: 'RIALTO_EVENT_DAYS',
    fallback: '30',
    description:
      'Days that events and the attempts to deliver them are kept, 30 to 3650. Older ones are no longer shown, and deleted every hour.',
  },
  {
    name: 'SMTP_URL',
    fallback: null,
    description:
      'The mail server that letters are sent through: `smtp://user:password@host:587` (STARTTLS, which production requires; `?starttls=if_offered` or `?starttls=off` otherwise) or `smtps://user:password@host:465`. Without it letters are kept and not sent: see [mail](../operating/mail.md).',
    isSecret: true,
  },
  {
    name: 'MAIL_FROM',
    fallback: null,
    description: 'The address that letters come from and bounces go to. Required with `SMTP_URL`.',
  },
  {
    name: 'RIALTO_LETTER_DAYS',
    fallback: '90',
    description: 'Days after which a letter that was sent, kept or failed is deleted, 1 to 3650. Invoices stay.',
  },
  {
    name: 'RIALTO_SECRET_KEY',
    fallback: null,
    description:
      'For `npm run listen` only: the secret key with which it reads events. Without it, and without `--key`, that of the demo in staging.',
    isSecret: true,
  },
  { name: 'LOG_LEVEL', fallback: 'info', description: '`trace`, `debug`, `info`, `warn`, `error` or `silent`.' },
  {
    name: 'RIALTO_TIME_SCALE',
    fallback: '1',
    description:
      'Staging only, for tests: a factor for the 15 and 40 seconds of a gateway call and for everything that follows.',
  },
  {
    name: 'RIALTO_FAULT',
    fallback: null,
    description:
      'Staging only, for tests: the point in a payment at which the process kills itself, such as `after:intent_commit`, or `file:` and the path of a file that contains the point.',
  },
]
