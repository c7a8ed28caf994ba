import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { EntryProblem } from './entry-problem.tsx'
import { type SignInResult, signInByPasskey } from './passkey.ts'
import { TEXTS } from './texts/texts.ts'

interface SecondFactorProps {
  ticket: string
  methods: SignInResult['methods']
  onResult(result: SignInResult): void
  onBack(): void
}

/** The second step after the password: a code of the app, a recovery code, or a passkey. */
export function SecondFactorForm({ ticket, methods, onResult, onBack }: SecondFactorProps) {
  const t = useTexts(TEXTS)
  const [method, setMethod] = useState<'totp' | 'recovery_code'>(methods.includes('totp') ? 'totp' : 'recovery_code')
  const [code, setCode] = useState('')
  const body = { ticket, method, code }
  const { submit, isSending, error, setError } = useSubmit(async () =>
    onResult(await personCall('POST /dashboard/auth/second-factor', { isEntry: true, body })),
  )
  const passkey = useSubmit(async () => onResult(await signInByPasskey()))
  const isTotp = method === 'totp'
  const other = isTotp ? 'recovery_code' : 'totp'
  const change = () => {
    setMethod(other)
    setCode('')
    setError(null)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        key={method}
        data-autofocus
        autoFocus
        label={isTotp ? t.totpCode : t.recoveryCode}
        inputMode={isTotp ? 'numeric' : 'text'}
        autoComplete={isTotp ? 'one-time-code' : 'off'}
        required
        withAsterisk={false}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <EntryProblem error={error ?? passkey.error} />
      <SendButton error={error} loading={isSending}>
        {t.confirm}
      </SendButton>
      {methods.includes('passkey') && (
        <SendButton error={passkey.error} variant="default" loading={passkey.isSending} onClick={passkey.submit}>
          {t.usePasskey}
        </SendButton>
      )}
      {methods.includes(other) && (
        <Button variant="default" onClick={change}>
          {isTotp ? t.useRecovery : t.useTotp}
        </Button>
      )}
      <Button variant="subtle" onClick={onBack}>
        {t.back}
      </Button>
    </form>
  )
}
