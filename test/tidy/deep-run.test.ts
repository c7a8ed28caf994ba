import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { DEEP_VARIABLE } from '../support/deep.ts'
import { sources, text } from './tree.ts'

test('the variable of the deep run is named in one place, which gives the bounds to all others', () => {
  deepEqual(
    sources.filter((file) => text(file).includes(DEEP_VARIABLE)),
    ['test/support/deep.ts'],
  )
})
