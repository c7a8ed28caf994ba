import { useState } from 'react'
import { PathLink } from '../../kit/links.tsx'
import { personCall } from '../../kit/person-call.ts'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { BadLink } from './bad-link.tsx'
import { isBadCode, useCodeOfLink } from './code-of-link.ts'
import { EntryPage } from './entry-page.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { NewPassword } from './new-password.tsx'
import { TEXTS } from './texts/texts.ts'

export default function ResetPage() {
  const t = useTexts(TEXTS)
  const code = useCodeOfLink()
  const [password, setPassword] = useState('')
  const [isDone, setDone] = useState(false)
  const { submit, isSending, error } = useSubmit(async () => {
    await personCall('POST /dashboard/auth/password/reset', { isEntry: true, body: { code, password } })
    setDone(true)
  })
  if (code === '' || isBadCode(error)) {
    return (
      <EntryPage title={t.resetTitle}>
        <BadLink of="reset" />
      </EntryPage>
    )
  }
  return (
    <EntryPage title={t.resetTitle}>
      {isDone ? (
        <>
          <p role="status">{t.resetDone}</p>
          <PathLink to="/dashboard/sign-in">{t.toSignIn}</PathLink>
        </>
      ) : (
        <form className="stack" onSubmit={submit}>
          <p>{t.resetText}</p>
          <NewPassword value={password} onChange={setPassword} />
          <EntryProblem error={error} />
          <SendButton error={error} loading={isSending}>
            {t.changePassword}
          </SendButton>
        </form>
      )}
    </EntryPage>
  )
}
