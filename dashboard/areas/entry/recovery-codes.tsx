import { SecretOnce } from '../../kit/copy.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** Ten codes, shown once. */
export function RecoveryCodes({ codes, onStored }: { codes: string[]; onStored(): void }) {
  const t = useTexts(TEXTS)
  return (
    <div className="stack">
      <p>{t.recoveryText}</p>
      <SecretOnce secret={codes.join('\n')} label={t.recovery} onStored={onStored} />
    </div>
  )
}
