import type { ReactNode } from 'react'
import { Icon } from './icons.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain'

/** A status as word, icon and colour together. */
export function Status({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className="status" data-tone={tone}>
      <Icon name={tone} size={14} />
      {children}
    </span>
  )
}
