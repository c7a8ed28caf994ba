import { useEffect, useState } from 'react'

/** The value once it has stayed the same for that long. Compared as JSON. */
export function useDebounced<Value>(value: Value, ms: number): Value {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms)
    return () => clearTimeout(timer)
  }, [text, ms])
  return JSON.parse(settled) as Value
}
