import { equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { isWeakKey } from './weak-key.ts'

const sequence = (step: (index: number) => number) => Buffer.from(Array.from({ length: 32 }, (_, index) => step(index)))

describe('A weak key', () => {
  const weak: Record<string, Buffer> = {
    'all zero': Buffer.alloc(32),
    'all ones': Buffer.alloc(32, 0xff),
    'one byte over and over': Buffer.alloc(32, 0xa7),
    'one byte but for the last': Buffer.concat([Buffer.alloc(31), Buffer.from([1])]),
    'two bytes in turn': Buffer.alloc(32, Buffer.from([0xde, 0xad])),
    deadbeef: Buffer.alloc(32, Buffer.from('deadbeef', 'hex')),
    'sixteen bytes twice': Buffer.alloc(32, randomBytes(16)),
    'counting up': sequence((index) => index),
    'counting up from 200': sequence((index) => 200 + index),
    'counting down': sequence((index) => 255 - index),
    'counting in steps': sequence((index) => index * 7),
    'up and down': sequence((index) => (index < 16 ? index : 31 - index)),
    'a word': Buffer.from('correct horse battery staple 123'),
    'letters and digits': Buffer.from('k3Jd8sLq0ZxVb7NmTf2WyRc9HgPuEa5X'),
    'hexadecimal digits': Buffer.from('0123456789abcdef0123456789abcdef'),
    'a word, filled up': Buffer.concat([Buffer.from('secret'), Buffer.alloc(26)]),
  }
  for (const [name, key] of Object.entries(weak)) test(`${name}`, () => equal(isWeakKey(key), true))

  test('is not one of ten thousand random keys', () => {
    for (let tried = 0; tried < 10_000; tried++) equal(isWeakKey(randomBytes(32)), false)
  })
})
