import type { ContractRow } from '../../../contract/dashboard/contracts-api.ts'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { CONTRACT_TEXTS } from './texts/texts.ts'

const TONES: Record<ContractRow['status'], Tone> = { draft: 'plain', sent: 'info', signed: 'good', void: 'plain' }

/** Status of a contract, with a warning while bills wait for the signature, or for another contract. */
export function ContractStatus({ contract }: { contract: Pick<ContractRow, 'status' | 'is_awaited'> }) {
  const t = useTexts(CONTRACT_TEXTS)
  const { status, is_awaited: isAwaited } = contract
  return (
    <>
      <Status tone={TONES[status]}>{t[status]}</Status>
      {isAwaited && (
        <>
          {' '}
          <Status tone="warn">{status === 'void' ? t.replaceable : t.awaited}</Status>
        </>
      )}
    </>
  )
}
