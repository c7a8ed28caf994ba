import { useEffect, useState } from 'react'

/**
 * The seconds that are left, for as long as the service has said.
 *
 * @param of what is waited for: another one begins again
 */
export function useCountdown(seconds: number, of: unknown): number {
  const [left, setLeft] = useState(seconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second refusal may ask for the same time.
  useEffect(() => setLeft(seconds), [seconds, of])
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1_000)
    return () => clearTimeout(timer)
  }, [left])
  return left
}
