import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { sources, text } from './tree.ts'

// A server that stops or drops a database also ends idle connections, and an error of one ends the process if its pool
// does not have a listener.

/** Programs that measure PostgreSQL without the service, and end with it. */
const BARE = /^bench\/bare-/

const count = (source: string, part: string) => source.split(part).length - 1

test('each pool of connections has a listener for errors', () => {
  const found = sources
    .filter((file) => !BARE.test(file))
    .filter((file) => count(text(file), 'new pg.' + 'Pool(') > count(text(file), "pool.on('error'"))
  deepEqual(found, [])
})
