import { deepEqual } from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { product, text } from './tree.ts'

describe('SQL', () => {
  test('SQL is in the queries files and in server/db', () => {
    const files = product.filter((file) => file.startsWith('server/') && !file.startsWith('server/db/'))
    const holdsSql = /\bsql`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.query\(\s*['"`]/
    deepEqual(
      files.filter((file) => !/-quer(?:y|ies)\.ts$/.test(file) && holdsSql.test(text(file))),
      [],
    )
  })

  test('each migration has a number of its own, without a gap', () => {
    const numbers = globSync('server/db/migrations/*.sql')
      .sort()
      .map((file) => Number(file.split('/').at(-1)?.slice(0, 4)))
    deepEqual(
      numbers,
      numbers.map((_number, index) => index + 1),
    )
  })
})
