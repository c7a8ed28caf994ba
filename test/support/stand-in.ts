/** Returns a proxy for an object that does not exist yet: each use of a member goes to the result of `current`. */
export function standIn<T extends object>(current: () => T | null): T {
  return new Proxy({} as T, {
    get(_target, name) {
      const now = current()
      if (now === null) throw new Error(`${String(name)} is used before the tests have started`)
      const member = Reflect.get(now, name)
      return typeof member === 'function' ? member.bind(now) : member
    },
  })
}
