/** A call of a merchant's server that was refused, as the dashboard shows it for seven days. */
export interface RefusedRequest {
  businessId: string
  id: string
  createdAt: Date
  method: string
  /** The pattern of the route, never its values. */
  path: string
  status: number
  code: string
  /** The first field that was wrong. */
  param: string | null
  credentialKind: 'api_key' | 'oauth_client'
  /** Of the key or the client. */
  credentialId: string
  ip: string
  requestId: string
}

/** What the listener knows about a refused call. */
export interface RefusedCall {
  credential: { businessId: string; kind: 'api_key' | 'oauth_client'; id: string }
  method: string
  path: string | null
  status: number
  code: string
  fields: string[]
  ip: string
  requestId: string
}
