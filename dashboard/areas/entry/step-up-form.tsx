import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { useMe } from '../../kit/me.ts'
import { PasswordField } from '../../kit/password-field.tsx'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { EntryProblem } from './entry-problem.tsx'
import { hasPasskeys, stepUpByPasskey } from './passkey.ts'
import { TEXTS } from './texts/texts.ts'

interface StepUpProps {
  /** Reason in the refusal; `null` if it had none. */
  reason: string | null
  onDone(): void
  onCancel(): void
}

/** Proves again who the person is: by passkey, or by password and the code of the authenticator app. */
export default function StepUpForm({ reason, onDone, onCancel }: StepUpProps) {
  const t = useTexts(TEXTS)
  const kit = useTexts(KIT_TEXTS)
  const { user, environment } = useMe()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const body = { method: 'password' as const, password, ...(user.totp && { code }) }
  const { submit, isSending, error } = useSubmit(async () => {
    await personCall('POST /dashboard/api/step-up', { isEntry: true, body })
    onDone()
  })
  const passkey = useSubmit(async () => {
    await stepUpByPasskey(reason ?? '')
    onDone()
  })
  const byPassword = user.step_up_methods.includes('password')
  return (
    <form className="stack" onSubmit={submit}>
      {user.step_up_methods.includes('passkey') && hasPasskeys() && (
        <SendButton error={passkey.error} data-autofocus loading={passkey.isSending} onClick={passkey.submit}>
          {t.usePasskey}
        </SendButton>
      )}
      {byPassword && <PasswordFields {...{ password, setPassword, code, setCode, asksCode: user.totp }} />}
      {byPassword && environment === 'staging' && <p className="dimmed">{t.demoPassword}</p>}
      <EntryProblem error={error ?? passkey.error} />
      <div className="dialog-actions">
        <Button variant="default" onClick={onCancel}>
          {kit.cancel}
        </Button>
        {byPassword && (
          <SendButton error={error} loading={isSending}>
            {t.confirm}
          </SendButton>
        )}
      </div>
    </form>
  )
}

interface PasswordFieldsProps {
  password: string
  setPassword(password: string): void
  code: string
  setCode(code: string): void
  /** Whether the person has an authenticator app. */
  asksCode: boolean
}

function PasswordFields({ password, setPassword, code, setCode, asksCode }: PasswordFieldsProps) {
  const t = useTexts(TEXTS)
  return (
    <>
      <PasswordField label={t.password} autoComplete="current-password" value={password} onChange={setPassword} />
      {asksCode && (
        <TextInput
          label={t.totpCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
      )}
    </>
  )
}
