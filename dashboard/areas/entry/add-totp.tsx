import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { EntryApi } from '../../../contract/dashboard/entry-api.ts'
import { CopyId } from '../../kit/detail.tsx'
import { personCall } from '../../kit/person-call.ts'
import Qr from '../../kit/qr.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import { EntryProblem } from './entry-problem.tsx'
import { TEXTS } from './texts/texts.ts'

type SetUp = EntryApi['POST /dashboard/auth/totp']['response']
export type FactorChange = EntryApi['POST /dashboard/auth/totp/verify']['response']

/** Shows the secret of a new authenticator app once, and checks its first code. */
export function AddTotp({ onDone }: { onDone(change: FactorChange): void }) {
  const t = useTexts(TEXTS)
  const [setUp, setSetUp] = useState<SetUp | null>(null)
  const [code, setCode] = useState('')
  const begin = useSubmit(async () => setSetUp(await personCall('POST /dashboard/auth/totp')))
  const { submit, isSending, error } = useSubmit(async () => {
    const body = { ticket: setUp?.ticket ?? '', code }
    onDone(await personCall('POST /dashboard/auth/totp/verify', { body }))
  })
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    begin.submit()
  })
  if (!setUp) return <EntryProblem error={begin.error} />
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t.totpScan}</p>
      <Qr text={setUp.uri} label={t.totp} />
      <div>
        <div className="label">{t.totpKey}</div>
        <CopyId id={setUp.secret} label={t.totpKey} />
      </div>
      <TextInput
        autoFocus
        label={t.totpCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        withAsterisk={false}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <EntryProblem error={error} />
      <SendButton error={error} loading={isSending}>
        {t.confirm}
      </SendButton>
    </form>
  )
}
