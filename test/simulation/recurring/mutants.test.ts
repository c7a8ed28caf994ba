import { equal } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { MUTANTS } from './mutants.ts'

// The mutants themselves run for half an hour (`npm run simulate -- --mutants`), so a text that has moved on would be
// noticed there only.

const source = (file: string) => readFileSync(new URL(`../../../server/${file}`, import.meta.url), 'utf8')

describe('each mutant of the simulation changes one place of the program', () => {
  for (const { name, file, find } of MUTANTS) {
    test(name, () => equal(source(file).split(find).length - 1, 1, `${file} has the text once`))
  }
})
