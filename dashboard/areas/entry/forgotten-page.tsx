import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { PathLink } from '../../kit/links.tsx'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { EntryPage } from './entry-page.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { TEXTS } from './texts/texts.ts'

export default function ForgottenPage() {
  const t = useTexts(TEXTS)
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  const { submit, isSending, error } = useSubmit(async () => {
    await personCall('POST /dashboard/auth/password/forgotten', { isEntry: true, body: { email } })
    setSent(true)
  })
  return (
    <EntryPage title={t.forgotten}>
      {isSent ? (
        <p role="status">{fill(t.linkSent, { email })}</p>
      ) : (
        <form className="stack" onSubmit={submit}>
          <p>{t.forgottenText}</p>
          <TextInput
            label={t.email}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <EntryProblem error={error} />
          <SendButton error={error} loading={isSending}>
            {t.sendLink}
          </SendButton>
        </form>
      )}
      <PathLink to="/dashboard/sign-in">{t.toSignIn}</PathLink>
    </EntryPage>
  )
}
