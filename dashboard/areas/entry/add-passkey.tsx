import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { SendButton } from '../../kit/send-button.tsx'
import { useSubmit } from '../../kit/submit.ts'
import { useTexts } from '../../kit/texts.ts'
import type { FactorChange } from './add-totp.tsx'
import { EntryProblem } from './entry-problem.tsx'
import { addPasskey } from './passkey.ts'
import { TEXTS } from './texts/texts.ts'

/** Makes a passkey in this browser, under a name that the person will know. */
export function AddPasskey({ onDone }: { onDone(change: FactorChange): void }) {
  const t = useTexts(TEXTS)
  const [name, setName] = useState('')
  const { submit, isSending, error } = useSubmit(async () => onDone(await addPasskey(name)))
  return (
    <form className="stack" onSubmit={submit}>
      <TextInput
        data-autofocus
        label={t.passkeyName}
        required
        withAsterisk={false}
        maxLength={60}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <EntryProblem error={error} />
      <SendButton error={error} loading={isSending}>
        {t.addPasskey}
      </SendButton>
    </form>
  )
}
