/** A refused call of a merchant's server. The dashboard shows it for seven days. */
export interface RefusedRequest {
  businessId: string
  id: string
  createdAt: Date
  method: string
  /** Pattern of the route, never its values. */
  path: string
  status: number
  code: string
  /** First field that was wrong; `null` if none was. */
  param: string | null
  credentialKind: 'api_key' | 'oauth_client'
  /** Id of the key or the client. */
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
