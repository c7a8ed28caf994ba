import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { fill } from '../../contract/text.ts'
import { useCountdown } from './countdown.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useOnline } from './online.ts'
import { secondsOf } from './refusal.tsx'
import { useTexts } from './texts.ts'

interface SendButtonProps extends ButtonProps {
  /** The last refusal; while it asks to wait, the button counts down and is disabled. */
  error: unknown
  /** Whether the call moves money: the button is then disabled without a connection. */
  movesMoney?: boolean
  /** Click handler; if it is absent, the button submits its form. */
  onClick?: () => void
  'aria-label'?: string
  'data-autofocus'?: boolean
  children: ReactNode
}

/** Button that sends a form of a page, or makes a call. */
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
