import type {
  AuthenticationResponseJSON,
  RegistrationResponseJSON,
  VerifiedAuthenticationResponse,
  VerifiedRegistrationResponse,
} from '@simplewebauthn/server'
import type { Db } from '../../db/connection.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Keyring } from '../../lib/keyring.ts'
import { createCode, useCode } from './one-time-code.ts'
import type { CodePurpose, CodeSubject, FoundCode } from './one-time-code-queries.ts'
import { findPasskey, listPasskeys, type Passkey, usePasskey } from './passkey-queries.ts'

// The ceremonies of passkeys, by @simplewebauthn/server. Challenges are one-time codes, so that each is used once, and
// what it was made for is known. User verification is required everywhere: only so is a passkey two factors (DSH-35).

export interface PasskeyContext {
  db: Db
  keyring: Keyring
  clock: Clock
  /** Where the dashboard is; passkeys belong to its host. */
  dashboardOrigin: string
}

/** As a browser sends it; the library checks what is in it. */
export type Credential = Record<string, unknown>

/** Loaded with the first ceremony: 25 MB. */
const library = () => import('@simplewebauthn/server')

const rpIdOf = ({ dashboardOrigin }: PasskeyContext) => new URL(dashboardOrigin).hostname

export async function registrationOptions(
  context: PasskeyContext,
  { sessionId, user }: { sessionId: string; user: { id: string; email: string; name: string } },
) {
  const { generateRegistrationOptions } = await library()
  const known = await listPasskeys(context.db, user.id)
  const challenge = await newChallenge(context, { purpose: 'passkey_register', userId: user.id, sessionId })
  return generateRegistrationOptions({
    rpName: 'Rialto',
    rpID: rpIdOf(context),
    userName: user.email,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.id)),
    challenge,
    attestationType: 'none',
    excludeCredentials: known.map(idOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** @returns what to keep of a new passkey; `null` when the response is not one to this session's challenge */
export async function verifyRegistration(
  context: PasskeyContext,
  { credential, sessionId, userId }: { credential: Credential; sessionId: string; userId: string },
): Promise<Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isSynced'> | null> {
  const used = await useChallenge(context, { purpose: 'passkey_register', credential, sessionId })
  if (used?.userId !== userId) return null
  const { verifyRegistrationResponse } = await library()
  const { registrationInfo } = await verified<VerifiedRegistrationResponse>(
    () =>
      verifyRegistrationResponse({
        response: credential as unknown as RegistrationResponseJSON,
        ...expected(context, used.challenge),
      }),
    { verified: false },
  )
  if (!registrationInfo) return null
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: transports.map(String),
    isSynced: registrationInfo.credentialBackedUp,
  }
}

/** @param of whose passkey is asked for; absent before sign-in: any that the browser has */
export async function authenticationOptions(
  context: PasskeyContext,
  of: { sessionId: string; userId: string; reason: string } | null,
) {
  const { generateAuthenticationOptions } = await library()
  const challenge = await newChallenge(
    context,
    of
      ? { purpose: 'passkey_step_up', userId: of.userId, sessionId: of.sessionId, data: { reason: of.reason } }
      : { purpose: 'passkey_sign_in', userId: null },
  )
  return generateAuthenticationOptions({
    rpID: rpIdOf(context),
    challenge,
    userVerification: 'required',
    ...(of && { allowCredentials: (await listPasskeys(context.db, of.userId)).map(idOf) }),
  })
}

/** Whose passkey has signed; `isCopy`: with a counter that does not grow, so that it proves nothing. */
export interface SignedByPasskey {
  userId: string
  passkey: Pick<Passkey, 'id' | 'name'>
  isCopy: boolean
  /** Of a step-up. */
  reason: string | null
}

/**
 * Checks a passkey's response to a challenge of ours, which it uses up.
 *
 * @param of whose it must be, in their session; `null` at sign-in
 * @returns `null` when it proves nothing
 */
export async function verifyAuthentication(
  context: PasskeyContext,
  { credential, of }: { credential: Credential; of: { sessionId: string; userId: string } | null },
): Promise<SignedByPasskey | null> {
  const purpose = of ? 'passkey_step_up' : 'passkey_sign_in'
  const used = await useChallenge(context, { purpose, credential, ...(of && { sessionId: of.sessionId }) })
  const passkey = await findPasskey(context.db, Buffer.from(String(credential.id), 'base64url'))
  if (!used || !passkey || (of && passkey.userId !== of.userId)) return null
  if (!namesUser(credential, passkey.userId)) return null
  const counter = await checkSignature(context, { credential, challenge: used.challenge, passkey })
  if (counter === null) return null
  const { id, name, counter: before, userId } = passkey
  const signed = { userId, passkey: { id, name }, reason: reasonIn(used) }
  // A key that counts, counts up: of two that show the same number, or an earlier one, one is a copy.
  if (counter <= before && (counter > 0 || before > 0)) return { ...signed, isCopy: true }
  if (!(await usePasskey(context.db, { id, before, counter, at: context.clock.now() }))) return null
  return { ...signed, isCopy: false }
}

const reasonIn = ({ data }: FoundCode) => (typeof data?.reason === 'string' ? data.reason : null)

/** @returns the counter that was signed, which the caller compares; `null` when the signature is not the passkey's */
async function checkSignature(
  context: PasskeyContext,
  { credential, challenge, passkey }: { credential: Credential; challenge: string; passkey: Passkey },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library()
  const { credentialId, publicKey } = passkey
  const known = { id: credentialId.toString('base64url'), publicKey: new Uint8Array(publicKey), counter: 0 }
  const result = await verified<VerifiedAuthenticationResponse | { verified: false }>(
    () =>
      verifyAuthenticationResponse({
        response: credential as unknown as AuthenticationResponseJSON,
        credential: known,
        ...expected(context, challenge),
      }),
    { verified: false },
  )
  return result.verified && 'authenticationInfo' in result ? result.authenticationInfo.newCounter : null
}

const expected = (context: PasskeyContext, challenge: string) => ({
  expectedChallenge: challenge,
  expectedOrigin: context.dashboardOrigin,
  expectedRPID: rpIdOf(context),
  requireUserVerification: true,
})

/** The library throws for whatever is not as it must be. */
async function verified<Result>(verify: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await verify()
  } catch {
    return otherwise
  }
}

const idOf = ({ credentialId, transports }: Passkey) => ({ id: credentialId.toString('base64url'), transports })

async function newChallenge(context: PasskeyContext, subject: CodeSubject): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(Buffer.from(await createCode(context, subject, context.clock.now()), 'base64url'))
}

/** Also when the response turns out wrong: a challenge is responded to once. */
async function useChallenge(
  context: PasskeyContext,
  { purpose, credential, sessionId }: { purpose: CodePurpose; credential: Credential; sessionId?: string },
): Promise<(FoundCode & { challenge: string }) | null> {
  const challenge = challengeIn(credential)
  if (challenge === null) return null
  const given = { purpose, code: challenge, ...(sessionId !== undefined && { sessionId }) }
  const found = await useCode(context, given, context.clock.now())
  return found && { ...found, challenge }
}

function challengeIn({ response }: Credential): string | null {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string }
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge: unknown }
    return typeof challenge === 'string' ? challenge : null
  } catch {
    return null
  }
}

/** A passkey that the browser found by itself says whose it is. */
function namesUser({ response }: Credential, userId: string): boolean {
  const { userHandle } = response as { userHandle?: unknown }
  return userHandle == null || Buffer.from(String(userHandle), 'base64url').toString() === userId
}
