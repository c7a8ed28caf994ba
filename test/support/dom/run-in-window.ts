import type { GlobalWindow } from 'happy-dom'

// Code of a page runs as a function whose parameters are the members of its window. So this process keeps its own
// globals, and several pages may be open at the same time, each with its own instance of every module.

export type PageWindow = GlobalWindow & Record<string, unknown>

/** Members for which a page uses those of Node: requests, and what they consist of. */
const OF_NODE = new Set([
  ...['AbortController', 'AbortSignal', 'Blob', 'DOMException', 'FormData', 'Headers', 'Request', 'Response', 'URL'],
  ...['URLSearchParams', 'TextDecoder', 'TextEncoder', 'crypto', 'queueMicrotask', 'structuredClone', 'MessageChannel'],
  ...['ReadableStream', 'TransformStream', 'WritableStream', 'Buffer', 'process', 'global', 'undefined', 'eval'],
])
const NAME = /(?<![\w$])(?<!(?<!\.\.)\.)[A-Za-z_]\w*/g

interface Compiled {
  names: string[]
  run: (...values: unknown[]) => unknown
}

const compiled = new Map<string, Compiled>()

/** Runs the body of a function in the window, and returns its result. It is compiled once for all windows. */
export function runInWindow(window: PageWindow, body: string): unknown {
  const { names, run } = compiled.get(body) ?? compile(window, body)
  return run(...names.map((name) => valueIn(window, name)))
}

function compile(window: PageWindow, body: string): Compiled {
  const found = new Set(body.match(NAME))
  const names = [...found].filter((name) => name in window && !OF_NODE.has(name) && isOfWindow(window, name))
  const made = { names, run: new Function(...names, body) as Compiled['run'] }
  compiled.set(body, made)
  return made
}

const isOfWindow = (window: PageWindow, name: string) =>
  !(name in globalThis) || window[name] !== (globalThis as Record<string, unknown>)[name]

function valueIn(window: PageWindow, name: string): unknown {
  const value = window[name]
  const isMethod = typeof value === 'function' && /^[a-z]/.test(name)
  return isMethod ? value.bind(window) : value
}
