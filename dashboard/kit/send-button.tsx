import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { fill } from '../../contract/text.ts'
import { useCountdown } from './countdown.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useOnline } from './online.ts'
import { secondsOf } from './refusal.tsx'
import { useTexts } from './texts.ts'

interface SendButtonProps extends ButtonProps {
  /** The last refusal; for as long as it says, the button counts down and is disabled. */
  error: unknown
  /** Without a connection it is disabled. */
  movesMoney?: boolean
  /** Absent: it submits its form. */
  onClick?: () => void
  'aria-label'?: string
  'data-autofocus'?: boolean
  children: ReactNode
}

/** The button that sends a form of a page, or calls. */
export function SendButton({ error, movesMoney = false, disabled, children, onClick, ...rest }: SendButtonProps) {
  const t = useTexts(KIT_TEXTS)
  const waiting = useCountdown(secondsOf(error), error)
  const isOnline = useOnline()
  return (
    <Button
      type={onClick ? 'button' : 'submit'}
      {...(onClick && { onClick })}
      {...rest}
      disabled={Boolean(disabled) || waiting > 0 || (movesMoney && !isOnline)}
    >
      {waiting > 0 ? fill(t.retryIn, { seconds: waiting }) : children}
    </Button>
  )
}
