import { isUtf8 } from 'node:buffer'
import { visit } from 'jsonc-parser'
import { ApiError } from '../lib/errors.ts'

/** Deeper bodies are no payment; JSON.parse itself would take 200,000 levels. */
const DEPTH_MAX = 20
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a request body more strictly than JSON.parse: no duplicate keys (two readers could see two amounts), no deep
 * nesting, no key that reaches a prototype, no byte that is not UTF-8 (decoding would put U+FFFD for it and say nothing).
 *
 * @throws ApiError `validation_failed`
 */
export function parseJsonBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw refusal('The body is not UTF-8')
  const text = body.toString()
  if (text.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refusal('The body is not valid JSON')
  }
  checkStructure(text)
  return value
}

function checkStructure(text: string): void {
  const keysOfOpenObjects: Set<string>[] = []
  let depth = 0
  const enter = () => {
    depth += 1
    if (depth > DEPTH_MAX) throw refusal(`The body is nested deeper than ${DEPTH_MAX} levels`)
  }
  visit(text, {
    onObjectBegin() {
      enter()
      keysOfOpenObjects.push(new Set())
    },
    onObjectEnd() {
      depth -= 1
      keysOfOpenObjects.pop()
    },
    onArrayBegin: enter,
    onArrayEnd() {
      depth -= 1
    },
    onObjectProperty(key) {
      if (FORBIDDEN_KEYS.has(key)) throw refusal('The body has a key that is not allowed')
      const keys = keysOfOpenObjects.at(-1)
      if (keys?.has(key)) throw refusal('The body has the same key twice')
      keys?.add(key)
    },
  })
}

function refusal(message: string): ApiError {
  return new ApiError('validation_failed', { message, errors: { body: [message] } })
}
