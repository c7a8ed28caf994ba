export interface Deferred<Value> {
  promise: Promise<Value>
  resolve: (value: Value) => void
  reject: (reason: unknown) => void
}

/** A promise that is settled from outside. Nobody has to await it: its rejection is never "unhandled". */
export function deferred<Value>(): Deferred<Value> {
  const made = {} as Deferred<Value>
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  made.promise.catch(() => {})
  return made
}
