import { VARIABLES } from './config-variables.ts'
import type { SmtpServer } from './emails/send/smtp-server.ts'
import { isWeakKey } from './lib/weak-key.ts'
import {
  fraction,
  gatewayName,
  httpUrl,
  masterKeys,
  origin,
  postgresUrl,
  proxies,
  readMail,
  readSimulator,
  readThreeDsServer,
  readVariables,
  wholeNumber,
} from './read-variables.ts'

// Nothing else reads environment variables. They are checked once, at the start, and an error names each wrong variable
// and what is expected.

export interface Config {
  environment: 'staging' | 'production'
  dataDir: string
  host: string
  port: number
  dashboardPort: number
  operationsHost: string
  operationsPort: number
  /** Limits for each listener. */
  maxConnections: number
  maxConnectionsPerAddress: number
  /** How long a connection of a client may wait for its next request. */
  keepAliveSeconds: number
  baseUrl: string
  dashboardUrl: string
  /** Origin of the Google Pay button's frame, which differs from the payment form's. */
  walletUrl: string
  /** Host of the merchant dashboard; `null` if it shares that of the payment form. */
  merchantDashboardUrl: string | null
  /** URL of the database; `null` for the embedded PostgreSQL. */
  databaseUrl: string | null
  databaseConnections: number
  /** `false` behind a pooler that does not keep track of prepared statements. */
  preparedStatements: boolean
  /** Master keys, current one first. If empty, staging creates one in the data directory. */
  masterKeys: Buffer[]
  trustedProxies: string[]
  rateLimits: boolean
  /** Path of the table's file. With `null`, staging knows the test cards, and production knows no card. */
  binTable: string | null
  gateway: 'simulator'
  simulatorPort: number
  /** Address at which payers' browsers reach the simulated bank; `null` for the simulator's own port on 127.0.0.1. */
  simulatorPublicUrl: string | null
  /** A simulator that is already running; `null` if the service starts its own. */
  simulator: { url: string; secret: string } | null
  /** URL of the root keys; `null` for Google's own in production, and the simulated wallet's in staging. */
  googlePayRootKeysUrl: string | null
  /** Name of this gateway at Google; `null` if only merchants with their own id have Google Pay. */
  googlePayGateway: string | null
  /** The operator's merchant id at Google, which the button names if this service is the gateway. */
  googlePayMerchantId: string | null
  /**
   * A server with the API of 3dsecure.io. With `null`, staging uses the simulator's, and production authenticates
   * nobody.
   */
  threeDsServer: { url: string; key: string } | null
  /** How long events and their deliveries are stored, in days. */
  eventDays: number
  /** Mail server; `null` if letters are stored but not sent. */
  mail: SmtpServer | null
  /** How long letters are stored, in days. */
  letterDays: number
  /** Secret key for `npm run listen`. */
  secretKey: string | null
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /**
   * Whether npm started the service. npm does not forward every signal, so the end of its shell must also stop the
   * service.
   */
  startedByNpm: boolean
  /** Factor for every wait for a gateway, for tests. */
  timeScale: number
  /** Place where the process kills itself, for tests. */
  faultPlace: string | null
}

/** @throws ConfigError with one line for each wrong variable, stating what is expected */
export function readConfig(env: Record<string, string | undefined>): Config {
  const reader = readVariables(env)
  const { wrong, read, oneOf, port } = reader
  const environment = oneOf('RIALTO_ENV', ['staging', 'production'], 'staging')
  const ports = {
    port: port('PORT', 4000),
    dashboardPort: port('DASHBOARD_PORT', 4001),
    operationsPort: port('OPERATIONS_PORT', 4003),
    simulatorPort: port('SIMULATOR_PORT', 4002),
  }
  const config: Config = {
    environment,
    dataDir: env.RIALTO_DATA_DIR?.trim() || './data',
    host: env.HOST?.trim() || 'localhost',
    operationsHost: env.OPERATIONS_HOST?.trim() || '127.0.0.1',
    ...ports,
    ...readUrls(reader, ports),
    databaseUrl: read<string | null>('DATABASE_URL', postgresUrl, 'a postgres:// URL', null),
    ...readConnections(reader),
    databaseConnections: read('DATABASE_CONNECTIONS', wholeNumber(1, 200), 'a number from 1 to 200', 10),
    preparedStatements: oneOf('DATABASE_PREPARED_STATEMENTS', ['on', 'off'], 'on') === 'on',
    masterKeys: read('RIALTO_MASTER_KEY', masterKeys, '32 bytes in base64 (openssl rand -base64 32)', []),
    trustedProxies: read('TRUSTED_PROXIES', proxies, 'a list of addresses or CIDR ranges, such as 10.0.0.0/8', []),
    rateLimits: oneOf('RIALTO_RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    gateway: oneOf('RIALTO_GATEWAY', ['simulator'], 'simulator'),
    binTable: env.RIALTO_BIN_TABLE?.trim() || null,
    simulator: readSimulator(reader, env.SIMULATOR_SECRET),
    ...readGooglePay(reader, environment),
    threeDsServer: readThreeDsServer(reader, env.THREE_DS_SERVER_KEY),
    eventDays: read('RIALTO_EVENT_DAYS', wholeNumber(30, 3_650), 'a number from 30 to 3650', 30),
    mail: readMail(reader, environment),
    letterDays: read('RIALTO_LETTER_DAYS', wholeNumber(1, 3_650), 'a number from 1 to 3650', 90),
    secretKey: env.RIALTO_SECRET_KEY?.trim() || null,
    logLevel: oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent'], 'info'),
    startedByNpm: env.npm_lifecycle_event !== undefined,
    timeScale: read('RIALTO_TIME_SCALE', fraction, 'a number above 0, at most 1', 1),
    faultPlace: env.RIALTO_FAULT?.trim() || null,
  }
  if (config.merchantDashboardUrl !== null && isTaken(config.merchantDashboardUrl, config)) {
    wrong.push('MERCHANT_DASHBOARD_URL must have a host of its own, other than those of BASE_URL and DASHBOARD_URL')
  }
  if (env.WALLET_URL && new URL(config.walletUrl).origin === new URL(config.dashboardUrl).origin) {
    wrong.push('WALLET_URL must be another origin than DASHBOARD_URL')
  }
  if (environment === 'production') wrong.push(...wrongInProduction(config))
  if (wrong.length > 0) throw new ConfigError(wrong)
  return config
}

function readConnections({
  read,
}: ReturnType<typeof readVariables>): Pick<Config, 'maxConnections' | 'maxConnectionsPerAddress' | 'keepAliveSeconds'> {
  const maxConnections = read('MAX_CONNECTIONS', wholeNumber(10, 100_000), 'a number from 10 to 100000', 1_000)
  return {
    maxConnections,
    maxConnectionsPerAddress: read(
      'MAX_CONNECTIONS_PER_ADDRESS',
      wholeNumber(1, 100_000),
      'a number from 1 to 100000',
      Math.ceil(maxConnections / 4),
    ),
    keepAliveSeconds: read('KEEP_ALIVE_SECONDS', wholeNumber(1, 3_600), 'a number of seconds from 1 to 3600', 75),
  }
}

function readGooglePay(
  { read }: ReturnType<typeof readVariables>,
  environment: Config['environment'],
): Pick<Config, 'googlePayRootKeysUrl' | 'googlePayGateway' | 'googlePayMerchantId'> {
  const gateway = environment === 'staging' ? 'rialto' : null
  return {
    googlePayRootKeysUrl: read<string | null>('GOOGLE_PAY_ROOT_KEYS_URL', httpUrl, 'an https URL', null),
    googlePayGateway: read<string | null>(
      'GOOGLE_PAY_GATEWAY',
      gatewayName,
      'the name of a gateway at Google, such as rialto',
      gateway,
    ),
    googlePayMerchantId: read<string | null>('GOOGLE_PAY_MERCHANT_ID', gatewayName, 'a merchant id at Google', null),
  }
}

/** Reads the addresses as people and browsers see them. */
function readUrls(
  { read }: ReturnType<typeof readVariables>,
  ports: Pick<Config, 'port' | 'dashboardPort'>,
): Pick<Config, 'baseUrl' | 'dashboardUrl' | 'walletUrl' | 'merchantDashboardUrl' | 'simulatorPublicUrl'> {
  const baseUrl = read(
    'BASE_URL',
    origin,
    'an origin, such as https://pay.example.com',
    `http://localhost:${ports.port}`,
  )
  return {
    baseUrl,
    walletUrl: read('WALLET_URL', origin, 'an origin, such as https://wallet.example.com', baseUrl),
    dashboardUrl: read(
      'DASHBOARD_URL',
      origin,
      'an origin, such as https://form.example.com',
      `http://localhost:${ports.dashboardPort}`,
    ),
    merchantDashboardUrl: read<string | null>(
      'MERCHANT_DASHBOARD_URL',
      origin,
      'an origin, such as https://dashboard.example.com',
      null,
    ),
    simulatorPublicUrl: read<string | null>(
      'SIMULATOR_PUBLIC_URL',
      origin,
      'an origin, such as http://127.0.0.1:4002',
      null,
    ),
  }
}

/**
 * Reads the configuration, and removes its secrets from the environment, so that no child process inherits them.
 *
 * @throws like `readConfig`
 */
export function takeConfig(env: Record<string, string | undefined>): Config {
  const config = readConfig(env)
  for (const { name, isSecret } of VARIABLES) if (isSecret) delete env[name]
  return config
}

/** Names all wrong variables at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(wrong: string[]) {
    super(
      `The configuration is wrong:\n${wrong.map((text) => `  ${text}`).join('\n')}\nSee docs/reference/configuration.md`,
    )
  }
}

const isTaken = (url: string, { baseUrl, dashboardUrl }: Config) =>
  [baseUrl, dashboardUrl].some((other) => new URL(other).host === new URL(url).host)

/** Returns the origin of the merchant dashboard, to which its cookies and passkeys belong (DSH-19). */
export const dashboardOriginOf = ({ merchantDashboardUrl, dashboardUrl }: Config): string =>
  new URL(merchantDashboardUrl ?? dashboardUrl).origin

/** Whether payers can be authenticated. Staging always has the simulator's server. */
export const hasThreeDsServer = ({ environment, threeDsServer }: Config): boolean =>
  environment === 'staging' || threeDsServer !== null

/** Returns what production refuses (OPS-3). */
function wrongInProduction(config: Config): string[] {
  const wrong: string[] = []
  if (!config.baseUrl.startsWith('https:')) wrong.push('BASE_URL must be https in production')
  if (!config.dashboardUrl.startsWith('https:')) wrong.push('DASHBOARD_URL must be https in production')
  if (config.walletUrl !== config.baseUrl && !config.walletUrl.startsWith('https:')) {
    wrong.push('WALLET_URL must be https in production')
  }
  if (config.merchantDashboardUrl?.startsWith('http:')) wrong.push('MERCHANT_DASHBOARD_URL must be https in production')
  if (config.masterKeys.length === 0) wrong.push('RIALTO_MASTER_KEY is required in production')
  if (config.masterKeys.some(isWeakKey)) {
    wrong.push('RIALTO_MASTER_KEY has a key that can be guessed; make a random one with openssl rand -base64 32')
  }
  if (config.googlePayRootKeysUrl?.startsWith('http:'))
    wrong.push('GOOGLE_PAY_ROOT_KEYS_URL must be https in production')
  if (config.googlePayGateway !== null && config.googlePayMerchantId === null) {
    wrong.push('GOOGLE_PAY_GATEWAY needs GOOGLE_PAY_MERCHANT_ID in production: Google shows its button only with an id')
  }
  if (config.gateway === 'simulator')
    wrong.push('RIALTO_GATEWAY must be a real gateway in production, not the simulator')
  if (config.threeDsServer?.url.startsWith('http:')) wrong.push('THREE_DS_SERVER_URL must be https in production')
  if (!config.rateLimits) wrong.push('RIALTO_RATE_LIMITS cannot be off in production')
  if (config.simulatorPublicUrl !== null) wrong.push('SIMULATOR_PUBLIC_URL is for staging')
  if (config.timeScale !== 1) wrong.push('RIALTO_TIME_SCALE is for staging')
  if (config.faultPlace !== null) wrong.push('RIALTO_FAULT is for staging')
  return wrong
}
