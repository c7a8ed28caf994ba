import { Alert, Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { Copy } from './copy.tsx'
import { focusFirst } from './first-focus.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { Modal } from './modal.tsx'
import { useReturnFocus } from './return-focus.ts'
import { useTexts } from './texts.ts'

export interface ShownSecret {
  label: string
  /** `null` if the secret was shown before. */
  secret: string | null
}

interface SecretDialogProps {
  title: string
  secrets: ShownSecret[]
  /** Text if the secret was shown before. */
  goneText: string
  onClose(): void
}

/** Secrets that are shown only once. The dialog closes when the person confirms that they are stored. */
export function SecretDialog({ title, secrets, goneText, onClose }: SecretDialogProps) {
  const t = useTexts(KIT_TEXTS)
  useReturnFocus(true)
  const [isStored, setStored] = useState(false)
  const isGone = secrets.every(({ secret }) => secret === null)
  return (
    <Modal opened onClose={() => {}} title={title} size="lg" withCloseButton={false} closeOnClickOutside={false}>
      <div className="stack" ref={focusFirst}>
        {isGone ? (
          <p>{goneText}</p>
        ) : (
          <Alert color="yellow" variant="outline">
            <strong>{t.secretOnce}</strong>
          </Alert>
        )}
        {secrets.map(({ label, secret }) =>
          secret === null ? null : (
            <div key={label}>
              <div className="label">
                {label} <Copy text={secret} label={label} />
              </div>
              <code className="secret">{secret}</code>
            </div>
          ),
        )}
        {!isGone && (
          <Checkbox
            label={t.secretStored}
            checked={isStored}
            onChange={({ currentTarget }) => setStored(currentTarget.checked)}
          />
        )}
        <Button disabled={!isStored && !isGone} onClick={onClose}>
          {t.done}
        </Button>
      </div>
    </Modal>
  )
}
