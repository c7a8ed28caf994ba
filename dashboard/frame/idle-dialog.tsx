import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { isActive } from '../kit/activity.ts'
import { useMe, useRefreshMe } from '../kit/me.ts'
import { Modal } from '../kit/modal.tsx'
import { useTexts } from '../kit/texts.ts'
import { lastTouchAt } from '../kit/transport.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

const LOOK_MS = 10_000
/** Interval of the calls that keep the session alive while a page is used without calls, such as a long form. */
const TOUCH_MS = 120_000
const WARNING_MS = 120_000

/** Warns two minutes before an idle session ends; any key keeps the session alive (WCAG 2.2.1). */
export function IdleDialog() {
  const t = useTexts(FRAME_TEXTS)
  const { session } = useMe()
  const refresh = useRefreshMe()
  const [isWarning, setWarning] = useState(false)
  const idleMs = session.idle_seconds * 1000
  useEffect(() => {
    const timer = setInterval(() => {
      const quietMs = Date.now() - lastTouchAt()
      if (isActive() && quietMs > TOUCH_MS && !isWarning) return void refresh().catch(() => {})
      setWarning(quietMs > idleMs - WARNING_MS && quietMs < idleMs)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [idleMs, isWarning, refresh])
  const stay = () => {
    setWarning(false)
    // The key that closes this dialog counts as activity, so the call keeps the session alive.
    void refresh().catch(() => {})
  }
  return (
    <Modal opened={isWarning} onClose={stay} title={t.idleTitle} withCloseButton={false}>
      <div className="stack">
        <p>{t.idleText}</p>
        <Button data-autofocus onClick={stay}>
          {t.stay}
        </Button>
      </div>
    </Modal>
  )
}
