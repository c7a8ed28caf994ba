/** What happens while a run of 3-D Secure waits: the bank's page is done, or the payer cancels or leaves the page. */
export type Signal = 'posted' | 'canceled' | 'left'

export interface Signals {
  note(signal: Signal): void
  /** The next one, `null` when none comes in time. One that came since the last call is returned at once, `left` by all calls. */
  next(milliseconds: number): Promise<Signal | null>
}

export function signals(): Signals {
  let noted: Signal | null = null
  let wake = () => {}
  return {
    note(signal) {
      if (noted !== 'left') noted = signal
      wake()
    },
    async next(milliseconds) {
      if (noted === null)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, milliseconds)
        })
      const signal = noted
      if (signal !== 'left') noted = null
      return signal
    },
  }
}
