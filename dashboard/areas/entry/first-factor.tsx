import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../kit/texts.ts'
import { AddPasskey } from './add-passkey.tsx'
import { AddTotp, type FactorChange } from './add-totp.tsx'
import { hasPasskeys } from './passkey.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TEXTS } from './texts/texts.ts'

interface FirstFactorProps {
  /** Whether the person may add it later. */
  isOptional: boolean
  onDone(): void
}

/** A new person's second factor, and the recovery codes that come with it. */
export function FirstFactor({ isOptional, onDone }: FirstFactorProps) {
  const t = useTexts(TEXTS)
  const [chosen, setChosen] = useState<'totp' | 'passkey' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const finish = ({ recovery_codes: made }: FactorChange) => (made ? setCodes(made) : onDone())
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />
  if (chosen) {
    return (
      <div className="stack">
        {chosen === 'totp' ? <AddTotp onDone={finish} /> : <AddPasskey onDone={finish} />}
        <Button variant="subtle" onClick={() => setChosen(null)}>
          {t.back}
        </Button>
      </div>
    )
  }
  return (
    <div className="stack">
      <p>{t.factorStepText}</p>
      {hasPasskeys() && <Button onClick={() => setChosen('passkey')}>{t.addPasskey}</Button>}
      <Button variant="default" onClick={() => setChosen('totp')}>
        {t.addTotp}
      </Button>
      {isOptional && (
        <Button variant="subtle" onClick={onDone}>
          {t.later}
        </Button>
      )}
    </div>
  )
}
