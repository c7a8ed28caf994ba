import { inspect } from 'node:util'

/**
 * Holds what must not be printed. JavaScript cannot wipe a string; it can keep it out of every log, error and JSON text.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The only way in. Callers are vault/, gateway adapters and three-d-secure/. */
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
