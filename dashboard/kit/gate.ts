// A call that requires an action of the person waits here until a dialog has been completed. The frame shows the
// dialogs.

export type Demand =
  /** `email`: address of the person whom the page expects, if the page shows it already. */
  | { kind: 'signIn'; email: string | undefined }
  | { kind: 'stepUp'; reason: string | null; methods: string[] }
  | { kind: 'secondFactor' }

export interface Waiting {
  demand: Demand
  /** `false` if the person has closed the dialog. */
  finish(isDone: boolean): void
}

let waiting: Waiting | null = null
let outcome: Promise<boolean> | null = null
const listeners = new Set<() => void>()

/** Opens the dialog; concurrent calls wait for the same one. */
export function demand(wanted: Demand): Promise<boolean> {
  if (outcome) return outcome
  const { promise, resolve } = Promise.withResolvers<boolean>()
  outcome = promise
  const finish = (isDone: boolean) => {
    change(null)
    outcome = null
    resolve(isDone)
  }
  change({ demand: wanted, finish })
  return promise
}

export const currentDemand = (): Waiting | null => waiting

export function onDemandChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function change(next: Waiting | null): void {
  waiting = next
  for (const listener of listeners) listener()
}
