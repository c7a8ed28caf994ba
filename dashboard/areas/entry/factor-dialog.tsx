import { type ReactNode, useState } from 'react'
import { focusFirst } from '../../kit/first-focus.ts'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { Modal } from '../../kit/modal.tsx'
import { useReturnFocus } from '../../kit/return-focus.ts'
import { useTexts } from '../../kit/texts.ts'
import { useRefreshAccount } from './account.ts'
import type { FactorChange } from './add-totp.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TEXTS } from './texts/texts.ts'

interface FactorDialogProps {
  title: string
  onClose(): void
  /** Called to announce the new factor. */
  onAdded(): void
  children(finish: (change: FactorChange) => void): ReactNode
}

/** Adds a factor, then shows the recovery codes that came with it. Not mounted while it is closed. */
export function FactorDialog({ title, onClose, onAdded, children }: FactorDialogProps) {
  const t = useTexts(TEXTS)
  const kit = useTexts(KIT_TEXTS)
  useReturnFocus(true)
  const refresh = useRefreshAccount()
  const [codes, setCodes] = useState<string[] | null>(null)
  const finish = ({ recovery_codes: made }: FactorChange) => {
    void refresh()
    onAdded()
    if (made) setCodes(made)
    else onClose()
  }
  return (
    <Modal
      opened
      onClose={() => codes === null && onClose()}
      title={codes ? t.recoveryTitle : title}
      withCloseButton={codes === null}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': kit.close }}
    >
      <div ref={focusFirst}>{codes ? <RecoveryCodes codes={codes} onStored={onClose} /> : children(finish)}</div>
    </Modal>
  )
}
