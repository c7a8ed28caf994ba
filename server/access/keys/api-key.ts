import { crc32 } from 'node:zlib'
import type { Scope } from '../../../contract/scopes.ts'
import type { Business } from '../../businesses/business.ts'
import { base32, randomBase32 } from '../../lib/ids.ts'
import type { Environment } from '../shared/context.ts'

/** Metadata of a key; never the secret. */
export interface ApiKey {
  id: string
  businessId: string
  name: string
  environment: Environment
  lastFour: string
  /** One or two canonical addresses. */
  allowedIps: string[]
  /** Scopes of the key. */
  scopes: Scope[]
  createdAt: Date
  /** E-mail address of the person who created it; `null` for the operator. */
  createdBy: string | null
  /** End of a rotated key; otherwise `null`. */
  expiresAt: Date | null
  revokedAt: Date | null
  lastUsedAt: Date | null
  lastUsedFrom: string | null
}

/** Returns what the audit log says about a key. */
export const auditedKey = ({ name, lastFour, allowedIps, scopes }: ApiKey) => ({
  name,
  last_four: lastFour,
  allowed_ips: allowedIps,
  scopes,
})

/** The caller of a path of the merchant API: the business, and the key that it used. */
export interface KeyCaller {
  business: Business
  keyId: string
  keyName: string
  lastFour: string
  scopes: ReadonlySet<Scope>
}

/** A valid key, with everything that a call with it is checked against. */
export interface WorkingKey {
  caller: KeyCaller
  /** When the overlap of its rotation ends; `null` for a key that was not rotated. */
  expiresAt: Date | null
  /** Canonical addresses that may use it. */
  allowedIps: ReadonlySet<string>
}

// A secret key contains its kind, its environment and a checksum. A guess or a typing error therefore costs no query,
// and scanners for leaked secrets can tell a real key from similar text.

export const API_KEY_PREFIX = 'rc_sk_'
const MARKS = { staging: 'stg', production: 'live' } as const satisfies Record<Environment, string>
const ENVIRONMENTS: Record<string, Environment> = { stg: 'staging', live: 'production' }
/** Returns the beginning of every key of an environment. */
export const keyPrefix = (environment: Environment): string => `${API_KEY_PREFIX}${MARKS[environment]}_`

/** Number of random characters: 200 bits. */
const RANDOM_CHARACTERS = 40
/** Length of the checksum: a CRC-32 in base 32. */
const CHECKSUM_CHARACTERS = 7
const API_KEY = /^rc_sk_(stg|live)_[0-9A-HJKMNP-TV-Z]{47}$/

/** Creates the clear text of a key. It is returned once and never stored. */
export function newApiKey(environment: Environment): string {
  const text = keyPrefix(environment) + randomBase32(RANDOM_CHARACTERS)
  return text + checksum(text)
}

/** @returns the environment of a well-formed key; `null` for any other text */
export function readApiKey(text: string): Environment | null {
  const [, mark = ''] = API_KEY.exec(text) ?? []
  const isIntact = text.slice(-CHECKSUM_CHARACTERS) === checksum(text.slice(0, -CHECKSUM_CHARACTERS))
  return isIntact ? (ENVIRONMENTS[mark] ?? null) : null
}

/** Returns what identifies a key to people. */
export const lastFourOf = (key: string): string => key.slice(-4)

const checksum = (text: string) => base32(crc32(text), CHECKSUM_CHARACTERS)
