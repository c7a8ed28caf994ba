import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sources, text } from './tree.ts'

const LINES_PER_FILE_MAX = 300
const GENERATED = ['server/db/tables.ts', 'sdk/generated/types.ts']

describe('lengths', () => {
  test(`no file is longer than ${LINES_PER_FILE_MAX} lines`, () => {
    const files = sources.filter((file) => !GENERATED.includes(file))
    deepEqual(
      files.filter((file) => text(file).split('\n').length > LINES_PER_FILE_MAX + 1),
      [],
    )
  })
})
