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
  /** `password`: without a second factor. A passkey counts as both. */
  proof: 'password' | 'second_factor' | 'passkey'
  createdAt: Date
  /** The end of its absolute time. */
  expiresAt: Date
  lastSeenAt: Date
  /** When the person last proved again who they are; `null`: not in this session. */
  steppedUpAt: Date | null
}

/** Where a person signs in from. */
export interface Browser {
  /** After trusted proxies. */
  ip: string | null
  userAgent: string | null
}

/** What a browser gets when a person signs in. `token` is for the cookie alone. */
export interface NewSession {
  id: string
  token: string
}

/** A signed-in person, in a business that they belong to. */
export interface Member {
  session: Session
  business: Business
  role: Role
  actor: Actor
}

/** DSH-10. */
export const IDLE_SECONDS = 900
export const SESSION_SECONDS = 43_200
/** DSH-12. */
export const STEP_UP_SECONDS = 300

export const signedOut = () => new ApiError('signed_out', { message: 'Sign in to go on' })
