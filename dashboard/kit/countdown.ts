import { useEffect, useState } from 'react'

/**
 * Returns the seconds that are left of the time that the service gave.
 *
 * @param of reason for the countdown: a different one restarts it
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
