import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { Copy } from '../../kit/copy.tsx'
import { focusFirst } from '../../kit/first-focus.ts'
import { lazyPart } from '../../kit/lazy-part.ts'
import { Modal } from '../../kit/modal.tsx'
import { useReturnFocus } from '../../kit/return-focus.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { useInstantText } from '../../kit/time.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

const Qr = lazyPart(() => import('../../kit/qr.tsx'))

interface CardLinkDialogProps {
  url: string | null
  /** `null` for a link that is valid as long as its subscription needs a card. */
  expires: number | null
  onClose(): void
}

/** The link where the customer enters a card, for the merchant to pass on. */
export function CardLinkDialog({ url, expires, onClose }: CardLinkDialogProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const instant = useInstantText()
  useReturnFocus(true)
  return (
    <Modal opened onClose={onClose} title={t.newCardLink} size="lg" closeButtonProps={{ 'aria-label': t.newCardClose }}>
      <div className="stack" ref={focusFirst}>
        {url === null ? (
          <p>{t.newCardGone}</p>
        ) : (
          <>
            <p>{t.newCardIsTheirs}</p>
            {expires !== null && <p>{fill(t.newCardUntil, { until: instant(expires) })}</p>}
            <p>
              <code>{url}</code> <Copy text={url} label={t.newCardLink} />
            </p>
            <Suspense>
              <Qr text={url} label={t.newCardLink} />
            </Suspense>
          </>
        )}
        <div className="dialog-actions">
          <Button variant="default" onClick={onClose}>
            {t.newCardClose}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
