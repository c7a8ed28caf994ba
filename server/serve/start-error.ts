/** What the driver or the server reports, as far as it is used here. */
interface DatabaseError {
  code?: string
  message?: string
  path?: string
}

const PAGE = 'docs/operating/database.md'

const ADVICE: [codes: readonly string[], advice: string][] = [
  [
    ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ECONNRESET'],
    'DATABASE_URL cannot be reached. Check host and port, and that the server accepts connections from this machine',
  ],
  [
    ['28P01', '28000'],
    'PostgreSQL refuses the user of DATABASE_URL. Check user and password; reserved characters are percent-encoded, such as %2F for / and %23 for #. A server that demands TLS needs ?sslmode=verify-full',
  ],
  [['3D000'], 'The database of DATABASE_URL does not exist. Create it: createdb --owner <user> <name>'],
  [['42501'], 'The user of DATABASE_URL must own its database. Run: alter database <name> owner to <user>'],
  [
    ['53300'],
    'PostgreSQL has no free connection for DATABASE_URL. Raise its max_connections, or lower DATABASE_CONNECTIONS',
  ],
  [
    [
      'SELF_SIGNED_CERT_IN_CHAIN',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_UNTRUSTED',
    ],
    `The certificate of the server at DATABASE_URL is of an authority that is not known here. Save the authority's certificate and add ?sslmode=verify-full&sslrootcert=/path/to/ca.pem (${PAGE}#tls)`,
  ],
  [
    ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    'The certificate of the server at DATABASE_URL is not valid today. Renew it, or check the clock of this machine',
  ],
  [
    ['ERR_TLS_CERT_ALTNAME_INVALID'],
    `The certificate of the server at DATABASE_URL is for another name than its host. Use the name in the certificate (${PAGE}#tls)`,
  ],
]

const NO_TLS = /server does not support SSL/i

/**
 * Returns one line about a database error at the start, with what would be right; `null` for any other error.
 *
 * @see OPS-66
 */
export function explainDatabaseError(error: unknown): string | null {
  const { code = '', message = '', path } = (error ?? {}) as DatabaseError
  if (NO_TLS.test(message)) {
    return `The server at DATABASE_URL speaks no TLS. Switch it on there, or on a trusted network use ?sslmode=disable (${PAGE}#tls)`
  }
  if (code === 'ENOENT' && /\.(?:pem|crt|cer|key)$/.test(path ?? '')) {
    return `${path}, which DATABASE_URL names as a certificate or key, does not exist`
  }
  const advice = ADVICE.find(([codes]) => codes.includes(code))?.[1]
  return advice === undefined ? null : `${advice}: ${message}`
}
