/** Events while a run of 3-D Secure waits: the bank's page is done, or the payer cancels or leaves the page. */
export type Signal = 'posted' | 'canceled' | 'left'

export interface Signals {
  note(signal: Signal): void
  /**
   * Returns the next signal; `null` if none comes in time or before `other` is there. A signal since the last call is
   * returned at once; `left` is returned by all calls.
   */
  next(milliseconds: number, other?: Promise<unknown>): Promise<Signal | null>
}

export function signals(): Signals {
  let noted: Signal | null = null
  let wake = () => {}
  return {
    note(signal) {
      if (noted !== 'left') noted = signal
      wake()
    },
    async next(milliseconds, other) {
      if (noted === null && milliseconds > 0)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, milliseconds)
          void other?.then(() => resolve())
        })
      const signal = noted
      if (signal !== 'left') noted = null
      return signal
    },
  }
}
