// A call that needs the person waits here until a dialog over the page has been completed. The frame shows the dialogs.

export type Demand =
  /** `email`: whom the page expects, where it shows that already. */
  | { kind: 'signIn'; email: string | undefined }
  | { kind: 'stepUp'; reason: string | null; methods: string[] }
  | { kind: 'secondFactor' }

export interface Waiting {
  demand: Demand
  /** `false`: the person has closed the dialog. */
  finish(isDone: boolean): void
}

let waiting: Waiting | null = null
let outcome: Promise<boolean> | null = null
const listeners = new Set<() => void>()

/** Opens the dialog; several calls at once wait for the same one. */
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
