import { useState } from 'react'
import { CallError } from '../../kit/call-error.ts'

/** Returns the part of a link after `#`, which no server and no log receives. */
export function useCodeOfLink(): string {
  const [code] = useState(() => location.hash.slice(1))
  return code
}

/** Whether the code is used, expired, unknown or missing. */
export const isBadCode = (error: unknown): boolean =>
  error instanceof CallError && error.status === 422 && error.extra.param === 'code'
