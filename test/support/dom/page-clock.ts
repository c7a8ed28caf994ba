type Callback = (...args: unknown[]) => void

interface Timer {
  due: number
  run: () => void
  /** Milliseconds between runs of an interval. */
  every: number | null
  /** The real timer while the time of the page is real. */
  real: NodeJS.Timeout | null
}

const FRAME_MS = 16

/**
 * Time of a page without a browser. Its timers end with the page: React Query alone leaves some for five minutes. After
 * `pauseAt` time only passes by `runFor` and `fastForward`.
 */
export class PageClock {
  #timers = new Map<number, Timer>()
  #immediates = new Set<NodeJS.Immediate>()
  #document = 0
  #next = 1
  #offset = 0
  #stoppedAt: number | null = null
  #fixedAt: number | null = null
  #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  timers = (): number => this.#timers.size
  now = (): number => this.#stoppedAt ?? Date.now() + this.#offset

  /** Members of the window of the page's next document. */
  globals(): Record<string, unknown> {
    const now = () => this.#fixedAt ?? this.now()
    const startedAt = now()
    const document = this.#document
    const set = (run: () => void, ms: number, every: number | null = null) =>
      document === this.#document ? this.#set(run, ms, every) : 0
    const clear = (id: unknown) => this.#clear(id)
    return {
      setTimeout: (run: Callback, ms = 0, ...args: unknown[]) => set(() => run(...args), ms),
      setInterval: (run: Callback, ms = 0, ...args: unknown[]) => set(() => run(...args), ms, Math.max(1, ms)),
      clearTimeout: clear,
      clearInterval: clear,
      requestAnimationFrame: (run: Callback) => set(() => run(now() - startedAt), FRAME_MS),
      cancelAnimationFrame: clear,
      requestIdleCallback: (run: Callback) => set(() => run({ didTimeout: false, timeRemaining: () => FRAME_MS }), 1),
      cancelIdleCallback: clear,
      setImmediate: (run: Callback, ...args: unknown[]) =>
        document === this.#document ? this.#immediate(() => run(...args)) : null,
      clearImmediate: (handle: NodeJS.Immediate) => clearImmediate(handle),
      Date: class extends Date {
        constructor(...args: unknown[]) {
          super(...((args.length === 0 ? [now()] : args) as [number]))
        }
        static override now = now
      },
      performance: new Proxy(performance, {
        get: (real, name) => (name === 'now' ? () => now() - startedAt : Reflect.get(real, name, real)),
      }),
    }
  }

  /** From now on the page has this time, which passes as usual. */
  install({ time = Date.now() }: { time?: number | string | Date } = {}): void {
    this.#offset = new Date(time).getTime() - Date.now()
  }

  setFixedTime(time: number | string | Date): void {
    this.#fixedAt = new Date(time).getTime()
  }

  async pauseAt(time: number | string | Date): Promise<void> {
    const from = this.#stop()
    await this.runFor(new Date(time).getTime() - from)
  }

  async resume(): Promise<void> {
    this.#stop()
    this.#offset = this.now() - Date.now()
    this.#stoppedAt = null
    for (const [id, timer] of this.#timers) this.#start(id, timer)
  }

  /** Runs every timer that is due within this time. */
  async runFor(ms: number | string): Promise<void> {
    const passes = this.#stoppedAt === null
    const end = this.#stop() + Number(ms)
    for (;;) {
      await turn()
      const [id, timer] = this.#byTime()[0] ?? []
      if (id === undefined || !timer || timer.due > end) break
      this.#stoppedAt = Math.max(this.now(), timer.due)
      this.#run(id, timer)
    }
    this.#stoppedAt = end
    await turn()
    if (passes) await this.resume()
  }

  /** Lets time pass at once, as after a laptop was closed: each timer that is due runs once. */
  async fastForward(ms: number | string): Promise<void> {
    const passes = this.#stoppedAt === null
    const end = this.#stop() + Number(ms)
    this.#stoppedAt = end
    for (const [id, timer] of this.#byTime().filter(([, { due }]) => due <= end)) {
      if (this.#timers.has(id)) this.#run(id, timer)
      await turn()
    }
    if (passes) await this.resume()
  }

  #byTime = () => [...this.#timers].sort(([, one], [, other]) => one.due - other.due)

  /** @returns the time at which it stops */
  #stop(): number {
    for (const timer of this.#timers.values()) {
      if (timer.real) clearTimeout(timer.real)
      timer.real = null
    }
    this.#stoppedAt = this.now()
    return this.#stoppedAt
  }

  /** Ends every timer of the document; its scripts can start no others. */
  leave(): void {
    this.#document++
    for (const { real } of this.#timers.values()) if (real) clearTimeout(real)
    for (const handle of this.#immediates) clearImmediate(handle)
    this.#timers.clear()
    this.#immediates.clear()
  }

  #set(run: () => void, ms: number, every: number | null): number {
    const id = this.#next++
    const timer: Timer = { due: this.now() + Math.max(0, Number(ms) || 0), run, every, real: null }
    this.#timers.set(id, timer)
    this.#start(id, timer)
    return id
  }

  #start(id: number, timer: Timer): void {
    if (this.#stoppedAt === null)
      timer.real = setTimeout(() => this.#run(id, timer), Math.max(0, timer.due - this.now()))
  }

  #run(id: number, timer: Timer): void {
    if (this.#timers.get(id) !== timer) return
    if (timer.every === null) this.#timers.delete(id)
    else {
      timer.due = this.now() + timer.every
      this.#start(id, timer)
    }
    this.#safely(timer.run)
  }

  #immediate(run: () => void): NodeJS.Immediate {
    const handle = setImmediate(() => {
      this.#immediates.delete(handle)
      this.#safely(run)
    })
    this.#immediates.add(handle)
    return handle
  }

  #clear(id: unknown): void {
    const timer = this.#timers.get(Number(id))
    if (timer?.real) clearTimeout(timer.real)
    this.#timers.delete(Number(id))
  }

  #safely(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#report(error)
    }
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
