import { equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCommand, UsageError } from './command.ts'

const GRAMMAR = { usage: 'Usage: …', options: ['name', 'business'], repeatable: ['ip'] }

describe('An argument of a command', () => {
  test('is text in NFC', () => {
    const command = readCommand(['create', '--name', 'Zoe\u0308', '--ip', 'e\u0301'], GRAMMAR)
    equal(command.required('name'), 'Zoë')
    equal(command.all('ip')[0], 'é')
  })

  test('may be an id', () => {
    const id = '42424242-4242-4242-8242-424242424242'
    equal(readCommand(['set', '--business', id], GRAMMAR).required('business'), id)
  })

  for (const args of [
    ['--name', 'Shop 4242 4242 4242 4242'],
    ['--ip', '10.0.0.1', '--ip', '4242424242424242'],
  ]) {
    test(`must not contain a card number: ${args[0]}`, () => {
      throws(
        () => readCommand(['create', ...args], GRAMMAR),
        (error) =>
          error instanceof UsageError &&
          error.message.startsWith(`${args[0]} must not`) &&
          ok(!error.message.includes('4242')) === undefined,
      )
    })
  }
})
