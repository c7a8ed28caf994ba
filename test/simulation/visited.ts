/** Unique for each state: a text, or a number below 2^53, which takes less memory and time. */
export type Key = number | string

const FIRST_SLOTS = 1 << 12
const NOT_VISITED = -1

/**
 * The keys of all visited states, each with the one from which it was first reached. Numbers are in a separate hash
 * table: a `Map` has an object for each number that is not a small integer, and takes three times as long.
 */
export class Visited {
  readonly #keys: Key[] = []
  /** For each key the place of the state from which it was reached, in the order of visits. */
  readonly #from: number[] = []
  readonly #texts = new Map<string, number>()
  /** Places plus one, by hash of the key; 0 means free. */
  #slots = new Int32Array(FIRST_SLOTS)

  get size(): number {
    return this.#keys.length
  }

  /**
   * Adds a state.
   *
   * @param from the place of the state from which it is reached; -1 for the initial one
   * @returns the place of the state, or `null` if it was visited before
   * @throws RangeError if the key does not fit a number exactly
   */
  add(key: Key, from: number): number | null {
    const place = this.#keys.length
    if (typeof key === 'string') {
      if (this.#texts.has(key)) return null
      this.#texts.set(key, place)
    } else {
      if (!Number.isSafeInteger(key)) throw new RangeError(`State key ${key} is not exact.`)
      const slot = this.#slotOf(key)
      if (this.#slots[slot] !== 0) return null
      this.#slots[slot] = place + 1
    }
    this.#keys.push(key)
    this.#from.push(from)
    if (this.#keys.length * 2 > this.#slots.length) this.#grow()
    return place
  }

  /** Returns the keys from the initial state to this place. */
  pathTo(place: number): Key[] {
    const path: Key[] = []
    for (let at = place; at !== NOT_VISITED; at = this.#from[at] ?? NOT_VISITED) path.unshift(this.#keys[at] ?? '')
    return path
  }

  /** Returns the slot that has the number, or the free one where it belongs. */
  #slotOf(key: number): number {
    const mask = this.#slots.length - 1
    let hash = Math.imul(key | 0, 0x9e3779b1) ^ Math.imul((key / 0x100000000) | 0, 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    for (let slot = (hash ^ (hash >>> 13)) & mask; ; slot = (slot + 1) & mask) {
      const taken = this.#slots[slot]
      if (taken === 0 || taken === undefined || this.#keys[taken - 1] === key) return slot
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    this.#keys.forEach((key, place) => {
      if (typeof key === 'number') this.#slots[this.#slotOf(key)] = place + 1
    })
  }
}
