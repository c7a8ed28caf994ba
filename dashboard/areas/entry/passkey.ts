import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { personCall } from '../../kit/person-call.ts'

export type SignInResult = EntryApi['POST /dashboard/auth/sign-in']['response']
type Options = EntryApi['POST /dashboard/auth/passkey/options']['response']

export const hasPasskeys = browserSupportsWebAuthn
export const canOfferInField = browserSupportsWebAuthnAutofill

/** Cancels a prompt that waits in the e-mail field. */
export const stopPrompts = () => WebAuthnAbortService.cancelCeremony()

/** @param inField whether the browser offers passkeys in the e-mail field, and waits until one is chosen */
export async function signInByPasskey({ inField = false } = {}): Promise<SignInResult> {
  const credential = await proveByPasskey(
    await personCall('POST /dashboard/auth/passkey/options', { isEntry: true }),
    inField,
  )
  return personCall('POST /dashboard/auth/passkey', { isEntry: true, body: { credential } })
}

export async function stepUpByPasskey(reason: string): Promise<void> {
  const options = await personCall('POST /dashboard/auth/step-up/options', { isEntry: true, body: { reason } })
  const credential = await proveByPasskey(options, false)
  await personCall('POST /dashboard/api/step-up', { isEntry: true, body: { method: 'passkey', credential } })
}

async function proveByPasskey({ options }: Options, useBrowserAutofill: boolean): Promise<Record<string, unknown>> {
  return { ...(await startAuthentication({ optionsJSON: options as never, useBrowserAutofill })) }
}

/** Creates a passkey in this browser. It requires a recent step-up; if there is none, a dialog asks for it. */
export async function addPasskey(name: string): Promise<EntryApi['POST /dashboard/auth/passkeys']['response']> {
  const { options } = await personCall('POST /dashboard/auth/passkeys/options')
  const credential = { ...(await startRegistration({ optionsJSON: options as never })) }
  return personCall('POST /dashboard/auth/passkeys', { body: { name, credential } })
}

/** Whether the person closed the browser's prompt, or the browser does not have such a passkey. */
export const isPromptError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'WebAuthnError' || error.name === 'NotAllowedError')
