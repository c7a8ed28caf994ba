import type { Role } from '../../../contract/permissions.ts'
import type { Actor } from '../../audit/actor.ts'
import type { Business } from '../../businesses/business.ts'
import { ApiError } from '../../lib/errors.ts'

/** A person who is signed in to the dashboard, with this browser (DSH-10). */
export interface Session {
  id: string
  userId: string
  email: string
  name: string
  /**
   * How the person has proved who they are. `password` means without a second factor; a passkey counts as both factors.
   */
  proof: 'password' | 'second_factor' | 'passkey'
  createdAt: Date
  /** End of its absolute time. */
  expiresAt: Date
  lastSeenAt: Date
  /** When the person last proved again who they are; `null` if they have not in this session. */
  steppedUpAt: Date | null
}

/** The browser that a person signs in with. */
export interface Browser {
  /** Address of the browser, after trusted proxies. */
  ip: string | null
  userAgent: string | null
}

/** What a browser gets when a person signs in. `token` goes only into the cookie. */
export interface NewSession {
  id: string
  token: string
}

/** A signed-in person in one of their businesses. */
export interface Member {
  session: Session
  business: Business
  role: Role
  actor: Actor
}

/** Limits of a session, idle and absolute (DSH-10). */
export const IDLE_SECONDS = 900
export const SESSION_SECONDS = 43_200
/** How long a step-up counts (DSH-12). */
export const STEP_UP_SECONDS = 300

export const signedOut = () => new ApiError('signed_out', { message: 'Sign in to go on' })
