// Playwright passes each event of Chromium to its own handlers inside a promise that nobody awaits. So an error in such
// a handler does not belong to a test and fails the test process: for instance an assertion that a frame is attached
// once, although Chromium may report a frame twice that moves to another process. The driver continues, and a test that
// missed the event fails by itself.

let isIgnoring = false

/** Ignores these errors. Repeated calls change nothing. */
export function ignoreDriverErrors(): void {
  if (isIgnoring) return
  isIgnoring = true
  const emit = process.emit.bind(process) as (event: string, ...values: unknown[]) => boolean
  // The test runner listens too, and a listener cannot withhold an event from other listeners.
  process.emit = ((event: string, ...values: unknown[]) => {
    if (event !== 'unhandledRejection' || !isDriverError(values[0])) return emit(event, ...values)
    process.stderr.write(`Ignored, of Playwright itself: ${(values[0] as Error).stack}\n`)
    return true
  }) as typeof process.emit
}

/** Whether a handler of the driver's own events threw it, without a line of ours or of another package in its stack. */
export function isDriverError(reason: unknown): boolean {
  if (!(reason instanceof Error)) return false
  const calls = (reason.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const isItsOwn = calls.every((call) => /node_modules\/playwright-core\/|\(?node:|<anonymous>/.test(call))
  return isItsOwn && calls.some((call) => /CRSession\.emit \(/.test(call))
}
