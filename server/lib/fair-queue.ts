/**
 * Runs one piece of work at a time, taking turns between owners: an owner who asks for much waits longer, and does not
 * delay others.
 */
export interface FairQueue {
  /**
   * @param isGone whether nobody waits for the result any more; checked when the turn comes
   * @throws QueueFull at once; NobodyWaits in place of the work
   */
  run<Result>(owner: string, work: () => Promise<Result>, isGone?: () => boolean): Promise<Result>
}

interface Limits {
  waitingMax: number
  waitingOfOwnerMax: number
}

interface Waiting {
  start(): Promise<void>
  drop(reason: Error): void
  isGone(): boolean
}

export class QueueFull extends Error {
  override message = 'Too much is waiting'
}

export class NobodyWaits extends Error {
  override message = 'Nobody waits for it any more'
}

export function createFairQueue({ waitingMax, waitingOfOwnerMax }: Limits): FairQueue {
  // After its turn, an owner moves to the end.
  const waiting = new Map<string, Waiting[]>()
  let isBusy = false
  const count = () => [...waiting.values()].reduce((sum, { length }) => sum + length, 0)

  function dropGone(): void {
    for (const [owner, entries] of waiting) {
      const [gone, left] = [entries.filter((one) => one.isGone()), entries.filter((one) => !one.isGone())]
      for (const one of gone) one.drop(new NobodyWaits())
      if (left.length === 0) waiting.delete(owner)
      else waiting.set(owner, left)
    }
  }

  function next(): Waiting | undefined {
    dropGone()
    const [first] = waiting
    if (!first) return undefined
    const [owner, [entry, ...others]] = first
    waiting.delete(owner)
    if (others.length > 0) waiting.set(owner, others)
    return entry
  }

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let entry = next(); entry; entry = next()) await entry.start()
    isBusy = false
  }

  return {
    run: (owner, todo, isGone = () => false) =>
      new Promise((resolve, reject) => {
        dropGone()
        const own = waiting.get(owner) ?? []
        if (own.length >= waitingOfOwnerMax || count() >= waitingMax) return reject(new QueueFull())
        const start = () => todo().then(resolve, reject)
        waiting.set(owner, [...own, { start, drop: reject, isGone }])
        void work()
      }),
  }
}
