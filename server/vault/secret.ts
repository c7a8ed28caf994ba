import { inspect } from 'node:util'

/**
 * Wraps a value that must never be printed. JavaScript cannot wipe a string from memory, but the wrapper keeps it out
 * of logs, errors and JSON.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The only access to the value. `test/tidy/card-data.test.ts` lists the files that may call it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
