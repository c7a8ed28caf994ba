import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { Fields } from '../../kit/detail.tsx'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { personCall } from '../../kit/person-call.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { BadLink } from './bad-link.tsx'
import { isBadCode, useCodeOfLink } from './code-of-link.ts'
import { EntryPage } from './entry-page.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { FirstFactor } from './first-factor.tsx'
import { NewPassword } from './new-password.tsx'
import { TEXTS } from './texts/texts.ts'

type Invitation = EntryApi['POST /dashboard/auth/invitations/look']['response']

/** An invitation: who invites, to which business, in which role. */
export default function WelcomePage() {
  const t = useTexts(TEXTS)
  const code = useCodeOfLink()
  const [state, setState] = useState<'open' | 'factor' | 'declined'>('open')
  const { data, error } = useQuery({
    queryKey: ['invitation', code],
    queryFn: () => personCall('POST /dashboard/auth/invitations/look', { isEntry: true, body: { code } }),
    enabled: code !== '' && state === 'open',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (state === 'factor') {
    return (
      <EntryPage title={t.factorStep}>
        <FirstFactor isOptional onDone={() => location.assign('/dashboard')} />
      </EntryPage>
    )
  }
  return (
    <EntryPage title={t.welcomeTitle}>
      {(code === '' || isBadCode(error)) && <BadLink of="invitation" />}
      {!isBadCode(error) && <Refusal error={error} />}
      {state === 'declined' && <p role="status">{t.declined}</p>}
      {state === 'open' && data && (
        <InvitationForm
          code={code}
          invitation={data}
          onAccepted={() => (data.is_known ? location.assign('/dashboard') : setState('factor'))}
          onDeclined={() => setState('declined')}
        />
      )}
    </EntryPage>
  )
}

interface InvitationFormProps {
  code: string
  invitation: Invitation
  onAccepted(): void
  onDeclined(): void
}

function InvitationForm({ code, invitation, onAccepted, onDeclined }: InvitationFormProps) {
  const t = useTexts(TEXTS)
  const kit = useTexts(KIT_TEXTS)
  const { business, role, email, invited_by: inviter, expires_at: expiresAt, is_known: isKnown } = invitation
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const accept = useSubmit(async () => {
    const body = { code, ...(!isKnown && { name, password }) }
    // A person with an account is asked to sign in with the invited e-mail address, in a dialog.
    await personCall('POST /dashboard/auth/invitations/accept', { isEntry: !isKnown, signInAs: email, body })
    onAccepted()
  })
  const decline = useSubmit(async () => {
    await personCall('POST /dashboard/auth/invitations/decline', { isEntry: true, body: { code } })
    onDeclined()
  })
  return (
    <form className="stack" onSubmit={accept.submit}>
      <p>{fill(t.welcomeText, { inviter, email, business, role: kit[`role_${role}`] })}</p>
      <Fields items={[[t.expires, <Instant key="expires" at={expiresAt} />]]} />
      <p>{isKnown ? t.welcomeKnown : t.welcomeNew}</p>
      {!isKnown && (
        <>
          <TextInput
            label={t.name}
            autoComplete="name"
            required
            withAsterisk={false}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <NewPassword label={t.password} value={password} onChange={setPassword} />
        </>
      )}
      <EntryProblem error={accept.error ?? decline.error} />
      <SendButton error={accept.error} loading={accept.isSending}>
        {t.accept}
      </SendButton>
      <SendButton error={decline.error} variant="default" loading={decline.isSending} onClick={decline.submit}>
        {t.decline}
      </SendButton>
    </form>
  )
}
