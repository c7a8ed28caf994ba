/** The person or system that makes a change. */
export interface Actor {
  kind: 'person' | 'key' | 'client' | 'operator' | 'system'
  /** Id of the user, key or client; `null` for the operator and the system. */
  id: string | null
  /** Name for people who read the log: an e-mail, or the name of a key. */
  name: string | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
}

/** The person who runs commands on this machine. */
export const OPERATOR: Actor = {
  kind: 'operator',
  id: null,
  name: null,
  ip: null,
  userAgent: null,
  requestId: null,
}
