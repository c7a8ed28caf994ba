import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { freshMe, type Me } from '../../kit/me.ts'
import { personCall } from '../../kit/person-call.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { BadLink } from './bad-link.tsx'
import { BusinessForm } from './business-form.tsx'
import { isBadCode, useCodeOfLink } from './code-of-link.ts'
import { EntryPage } from './entry-page.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { FirstFactor } from './first-factor.tsx'
import { FirstSteps } from './first-steps.tsx'
import { NewPassword } from './new-password.tsx'
import type { SignInResult } from './passkey.ts'
import SignInForm from './sign-in-form.tsx'
import { TEXTS } from './texts/texts.ts'

type Step = { step: 'factor' | 'business'; me: Me } | { step: 'done'; me: Me; businessId: string }

/** The first start: an account, its second factor, a business. A later link signs its person in. */
export default function SetUpPage() {
  const t = useTexts(TEXTS)
  const [step, setStep] = useState<Step | null>(null)
  const afterAccount = async () => {
    const me = await freshMe()
    // The code is used, so it need not stay in the address.
    history.replaceState(null, '', location.pathname)
    if (!me.user.second_factor) return setStep({ step: 'factor', me })
    if (me.may_create_business) return setStep({ step: 'business', me })
    location.assign('/dashboard')
  }
  if (step?.step === 'factor') {
    const { me } = step
    const isOptional = me.environment === 'staging' && !me.must_add_second_factor
    const next = () => (me.may_create_business ? setStep({ step: 'business', me }) : location.assign('/dashboard'))
    return (
      <EntryPage title={t.factorStep}>
        <FirstFactor isOptional={isOptional} onDone={next} />
      </EntryPage>
    )
  }
  if (step?.step === 'business') {
    const { me } = step
    return (
      <EntryPage title={t.businessStep}>
        <BusinessForm onDone={(businessId) => setStep({ step: 'done', me, businessId })} />
      </EntryPage>
    )
  }
  if (step?.step === 'done') return <FirstSteps {...step} />
  return <Begin onDone={() => void afterAccount()} />
}

function Begin({ onDone }: { onDone(): void }) {
  const t = useTexts(TEXTS)
  const code = useCodeOfLink()
  const { data, error } = useQuery({
    queryKey: ['set-up', code],
    queryFn: () => personCall('POST /dashboard/auth/set-up/look', { isEntry: true, body: { code } }),
    enabled: code !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (code === '' || isBadCode(error)) {
    return (
      <EntryPage title={t.setUpTitle}>
        <BadLink of="set-up" />
      </EntryPage>
    )
  }
  return (
    <EntryPage title={data?.purpose === 'sign_in' ? t.signIn : t.setUpTitle}>
      <Refusal error={error} />
      {data?.purpose === 'first_owner' && <FirstOwner code={code} onDone={onDone} />}
      {data?.purpose === 'sign_in' && <SignInByLink code={code} email={data.email ?? ''} onDone={onDone} />}
    </EntryPage>
  )
}

function FirstOwner({ code, onDone }: { code: string; onDone(): void }) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { submit, isSending, error } = useSubmit(async () => {
    const body = { code, name, email, password, locale }
    await personCall('POST /dashboard/auth/set-up', { isEntry: true, body })
    onDone()
  })
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.setUpText}</p>
      <TextInput
        label={t.name}
        autoComplete="name"
        required
        withAsterisk={false}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={t.email}
        type="email"
        autoComplete="username"
        required
        withAsterisk={false}
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <NewPassword label={t.password} value={password} onChange={setPassword} />
      <EntryProblem error={error} />
      <SendButton error={error} loading={isSending}>
        {t.createAccount}
      </SendButton>
    </form>
  )
}

function SignInByLink({ code, email, onDone }: { code: string; email: string; onDone(): void }) {
  const t = useTexts(TEXTS)
  const [begun, setBegun] = useState<SignInResult | null>(null)
  const { submit, isSending, error } = useSubmit(async () => {
    const result = await personCall('POST /dashboard/auth/set-up/sign-in', { isEntry: true, body: { code } })
    if (result.next === 'done') onDone()
    else setBegun(result)
  })
  if (begun) return <SignInForm begun={begun} onDone={onDone} />
  return (
    <form className="stack" onSubmit={submit}>
      <p>{fill(t.setUpSignIn, { email })}</p>
      <EntryProblem error={error} />
      <SendButton error={error} loading={isSending}>
        {t.signIn}
      </SendButton>
    </form>
  )
}
