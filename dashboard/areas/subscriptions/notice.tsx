import type { ReactNode } from 'react'
import { Status, type Tone } from '../../kit/status.tsx'

/** An important sentence, which screen readers read out when it appears. */
export function Notice({ tone, text, children }: { tone: Tone; text: string; children?: ReactNode }) {
  return (
    <div className="bar" data-tone={tone} role="alert">
      <Status tone={tone}>
        <span className="wraps">{text}</span>
      </Status>
      {children}
    </div>
  )
}
