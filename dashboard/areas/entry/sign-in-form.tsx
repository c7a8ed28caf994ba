import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../../kit/icons.tsx'
import { PathLink } from '../../kit/links.tsx'
import { PasswordField } from '../../kit/password-field.tsx'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { EntryProblem } from './entry-problem.tsx'
import { canOfferInField, hasPasskeys, type SignInResult, signInByPasskey, stopPrompts } from './passkey.ts'
import { SecondFactorForm } from './second-factor-form.tsx'
import { TEXTS } from './texts/texts.ts'

interface SignInFormProps {
  onDone(): void
  /** E-mail address of the person whose session has ended, or who is invited: only the password is missing. */
  email?: string | undefined
  /** Set if the link of the set-up has already signed in, and a second factor is still needed. */
  begun?: SignInResult
}

/** Signs in, on its own page or in a dialog: by passkey, or by password and second factor. */
export default function SignInForm({ onDone, email, begun }: SignInFormProps) {
  const [result, setResult] = useState<SignInResult | null>(begun ?? null)
  const proceed = (next: SignInResult) => (next.next === 'done' ? onDone() : setResult(next))
  if (result?.ticket) {
    return (
      <SecondFactorForm
        ticket={result.ticket}
        methods={result.methods}
        onResult={proceed}
        onBack={() => setResult(null)}
      />
    )
  }
  return <PasswordForm known={email} onResult={proceed} />
}

interface PasswordFormProps {
  known: string | undefined
  onResult(result: SignInResult): void
}

function PasswordForm({ known = '', onResult }: PasswordFormProps) {
  const t = useTexts(TEXTS)
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const signIn = () => personCall('POST /dashboard/auth/sign-in', { isEntry: true, body: { email, password } })
  const { submit, isSending, error } = useSubmit(async () => onResult(await signIn()))
  const passkey = useSubmit(async () => onResult(await signInByPasskey()))
  usePasskeyInField(onResult)
  return (
    <form className="stack" onSubmit={submit}>
      {hasPasskeys() && (
        <>
          <SendButton
            error={passkey.error}
            variant="default"
            leftSection={<Icon name="key" />}
            loading={passkey.isSending}
            onClick={passkey.submit}
          >
            {t.passkeySignIn}
          </SendButton>
          <p className="or">{t.orPassword}</p>
        </>
      )}
      <TextInput
        label={t.email}
        type="email"
        autoComplete="username webauthn"
        required
        withAsterisk={false}
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <PasswordField
        data-autofocus={known !== '' || undefined}
        autoFocus={known !== ''}
        label={t.password}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <EntryProblem error={error ?? passkey.error} />
      <SendButton error={error} loading={isSending}>
        {t.signIn}
      </SendButton>
      <PathLink to="/dashboard/forgotten">{t.forgotten}</PathLink>
    </form>
  )
}

/** Lets the browser offer the person's passkeys in the e-mail field. It is only an offer: any failure is ignored. */
function usePasskeyInField(onResult: (result: SignInResult) => void): void {
  const latest = useRef(onResult)
  latest.current = onResult
  useEffect(() => {
    let isGone = false
    canOfferInField()
      .then((can) => (can && !isGone ? signInByPasskey({ inField: true }) : null))
      .then((result) => result && !isGone && latest.current(result))
      .catch(() => {})
    return () => {
      isGone = true
      stopPrompts()
    }
  }, [])
}
